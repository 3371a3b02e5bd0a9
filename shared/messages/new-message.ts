import type { AccountSettings } from '../accounts/account.ts';
import type { CreditCounter } from '../accounts/credits.ts';
import { timeOfId } from '../kit/id.ts';
import { emptyObject, type JsonText } from '../kit/json-text.ts';
import { iso } from '../kit/time.ts';
import type { Channel, Message, TextChannel } from './message.ts';
import { segmentsOf } from './segments.ts';

/** The credits of a message, returned if it is not sent. */
export interface Price {
  readonly counter: CreditCounter;
  readonly credits: number;
  /** The shard of the account's credits that paid it; absent if it was the first. */
  readonly shard?: number;
}

/** A message on the account's books. */
export type AcceptedMessage = Message & { readonly price: Price };

/** Email spends one credit for each recipient (messaging specification, "What the service does"). */
const emailPrice: Price = { counter: 'email', credits: 1 };

/** The price of a free message. */
export const noPrice: Price = { counter: 'email', credits: 0 };

type SenderKind = AccountSettings['sms']['senderKind'];

const smsCounters: Readonly<Record<SenderKind, CreditCounter>> = { masked: 'smsMasked', non_masked: 'smsNonMasked' };

interface Asked {
  readonly channel: Channel;
  readonly to: string;
  readonly tags?: readonly string[] | undefined;
  readonly metadata?: JsonText | undefined;
  /** When it is to be sent; undefined: now. */
  readonly sendAt?: number | undefined;
}

/** The initial fields of every message. */
const accepted = ({ to, tags = [], metadata = emptyObject, sendAt }: Asked, id: string) => ({
  id,
  to,
  tags: [...tags],
  metadata,
  createdAt: iso(timeOfId(id)),
  ...(sendAt !== undefined && { scheduledAt: iso(sendAt) }),
  sentAt: null,
  deliveredAt: null,
  failedAt: null,
  failureReason: null,
  failureCode: null,
});

/** An accepted email before it is submitted to the provider, or while it waits for its time. */
export const newEmail = (asked: Asked, id: string): AcceptedMessage => ({
  ...accepted(asked, id),
  channel: 'email',
  status: asked.sendAt === undefined ? 'sending' : 'queued',
  price: emailPrice,
});

/** A queued sms or whatsapp message. An sms costs one credit per segment, whatsapp none. */
export const newText = (
  asked: Asked & { readonly channel: TextChannel },
  id: string,
  text: string,
  senderKind: SenderKind,
): AcceptedMessage => ({
  ...accepted(asked, id),
  channel: asked.channel,
  status: 'queued',
  price: asked.channel === 'sms' ? { counter: smsCounters[senderKind], credits: segmentsOf(text).segments } : noPrice,
});
