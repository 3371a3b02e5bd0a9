import type { ConsentStatus } from '../../compliance/consent.ts';
import { type Slots, slotsAfter } from '../../compliance/frequency-cap.ts';
import { blockOf, type GateFacts } from '../../compliance/gate.ts';
import { isOptedOut } from '../../compliance/opt-out.ts';
import { quietUntil } from '../../compliance/quiet-hours.ts';
import type { ContactStatus } from '../../contacts/contact.ts';
import type { AcceptedMessage } from '../../messages/new-message.ts';
import { consentTime } from '../contacts/consent-store.ts';
import type { Item } from '../table.ts';
import type { SendContext } from './send-store.ts';

/** An sms or a whatsapp message that is to be accepted. */
export interface TextSend {
  readonly message: AcceptedMessage;
  readonly text: string;
  readonly phone: string;
  readonly spam: GateFacts['spam'];
}

/** What is known of the contact that holds the phone. */
export interface Known {
  readonly id: string;
  readonly contact: Item;
  readonly consents: Item | undefined;
  readonly cap: Item | undefined;
}

/** All that a text is judged by. `known` is undefined where the send would make the contact. */
export interface Case {
  readonly send: TextSend;
  readonly context: SendContext;
  readonly known: Known | undefined;
  readonly nowMs: number;
}

/** The contact's consent that stands on the channel. */
export const consentIn = ({ send, known }: Case): ConsentStatus | undefined =>
  known?.consents?.[send.message.channel] as ConsentStatus | undefined;

/** Whether the channel's consent was given after the contact had asked for no more messages on any. */
const isConsentLater = (judged: Case): boolean => {
  const { send, known } = judged;
  const given = consentIn(judged) === 'active' ? known?.consents?.[consentTime(send.message.channel)] : undefined;
  const asked = known?.contact['unsubscribedAt'] ?? known?.contact['updatedAt'];
  return given !== undefined && String(given) > String(asked);
};

/** The slots of the frequency cap; undefined when the account has none. */
export const slotsIn = ({ context, known, nowMs }: Case): Slots | undefined => {
  const { frequencyCap } = context.settings;
  return frequencyCap ? slotsAfter((known?.cap?.['times'] ?? []) as number[], frequencyCap, nowMs) : undefined;
};

/** Why the text may not go out, or undefined. */
export const reasonIn = (judged: Case, slots: Slots | undefined): string | undefined => {
  const { send, context, known, nowMs } = judged;
  const { channel } = send.message;
  const isOut = context.optOut !== undefined && isOptedOut(context.optOut.said, channel);
  return blockOf({
    channel,
    accountStatus: context.settings.status,
    // A retired contact has let its phone go.
    isRetired: false,
    spam: send.spam,
    contactStatus: known?.contact['status'] as ContactStatus | undefined,
    isConsentLater: isConsentLater(judged),
    consent: isOut ? 'withdrawn' : consentIn(judged),
    quietUntilMs: quietUntil(context.settings.quietHours, send.phone, nowMs),
    capFreeAtMs: slots?.kind === 'full' ? slots.freeAtMs : undefined,
    windowOpenUntilMs: context.windowOpenUntilMs,
    nowMs,
  });
};
