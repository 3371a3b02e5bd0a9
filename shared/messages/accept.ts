import type { CreditCounter } from '../accounts/credits.ts';
import { timeOfId } from '../kit/id.ts';
import { iso } from '../kit/time.ts';
import type { Channel, Message } from './message.ts';

/** What was taken for a message, to be given back if it is not sent. */
export interface Price {
  readonly counter: CreditCounter;
  readonly credits: number;
}

/** A message on the account's books. */
export type AcceptedMessage = Message & { readonly price: Price };

/** Email spends one credit for each recipient (specification, "What the service does"). */
const emailPrice: Price = { counter: 'email', credits: 1 };

interface Asked {
  readonly channel: Channel;
  readonly to: string;
  readonly tags?: readonly string[] | undefined;
  readonly metadata?: Record<string, unknown> | undefined;
}

/** An email as it stands between being accepted and being handed to the provider. */
export const acceptEmail = ({ to, tags = [], metadata = {} }: Asked, id: string): AcceptedMessage => ({
  id,
  channel: 'email',
  status: 'sending',
  to,
  tags: [...tags],
  metadata,
  createdAt: iso(timeOfId(id)),
  sentAt: null,
  deliveredAt: null,
  failedAt: null,
  failureReason: null,
  failureCode: null,
  price: emailPrice,
});
