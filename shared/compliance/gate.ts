import type { AccountSettings } from '../accounts/account.ts';
import type { ContactStatus } from '../contacts/contact.ts';
import { iso } from '../kit/time.ts';
import type { Mail } from '../messages/mail.ts';
import { type Channel, channels, textChannels } from '../messages/message.ts';
import type { AcceptedMessage } from '../messages/new-message.ts';
import type { Recipient } from '../messages/recipient.ts';
import { slotsAfter } from './frequency-cap.ts';
import { isEndless, quietUntil } from './quiet-hours.ts';
import {
  type RecipientFacts,
  recipientFacts,
  suppressedRule,
  unsubscribedRule,
  withdrawnRule,
} from './recipient-rules.ts';
import type { SendContext } from './send-context.ts';

/** A message to accept. */
export interface Draft {
  readonly message: AcceptedMessage;
  readonly contact: Recipient['contact'];
  /** The content of an sms or whatsapp message, stored until a worker sends it. */
  readonly text?: string | undefined;
  /** A scheduled email, stored until its time. */
  readonly mail?: Mail | undefined;
  /** Of an email that the run sends which accepts it: the name of that run. Another run never sends what this one has accepted. */
  readonly run?: string | undefined;
  /** An earlier run of the request may have accepted it, and it may have waited and been cancelled since. */
  readonly isResumed?: boolean | undefined;
  /** When a text that is still unsent is not to be sent any more. */
  readonly expiresMs?: number | undefined;
  /** The result of the spam scan. */
  readonly spam?: { readonly rule: string } | undefined;
}

/** The facts that decide whether a message may be sent. Undefined means that there is none: no contact yet, no consent, no cap. */
export interface GateFacts extends RecipientFacts {
  readonly accountStatus: AccountSettings['status'];
  readonly isRetired: boolean;
  readonly spam: Draft['spam'];
  readonly contactStatus: ContactStatus | undefined;
  /** The end of quiet hours in the recipient's possible time zones. */
  readonly quietUntilMs: number | undefined;
  /** When the frequency cap has a free slot again. */
  readonly capFreeAtMs: number | undefined;
  readonly windowOpenUntilMs: number | undefined;
  readonly nowMs: number;
  /** The message is scheduled: the rules that depend on the time are asked at its time. */
  readonly isAhead?: boolean;
}

interface Rule {
  readonly name: string;
  readonly on: readonly Channel[];
  /** Why this rule blocks a send, or undefined when it does not. */
  readonly reason: (facts: GateFacts) => string | undefined;
  /** It depends on the time of the send, so a message that is sent later is not judged by it before. */
  readonly isOfItsTime?: true;
  /** From when it does not block any more, where a time decides. */
  readonly freeAtMs?: (facts: GateFacts) => number | undefined;
}

/** How long an account may write to a phone that has written to it (messaging specification, "POST /messages", rule 3). */
export const whatsappWindowMs = 24 * 60 * 60 * 1_000;

const when = (isBlocked: boolean, reason: string): string | undefined => (isBlocked ? reason : undefined);

const until = (freeAtMs: number | undefined, nowMs: number, reason: string): string | undefined =>
  freeAtMs !== undefined && freeAtMs > nowMs ? `${reason}: sending is possible from ${iso(freeAtMs)}.` : undefined;

const isAlwaysQuiet = ({ quietUntilMs, nowMs }: Pick<GateFacts, 'quietUntilMs' | 'nowMs'>): boolean =>
  quietUntilMs !== undefined && isEndless(quietUntilMs, nowMs);

const notGiven = (channel: Channel): string =>
  `The contact has not given its consent to ${channel}. Once it has, record it in the dashboard or with PUT /admin/v1/contacts/{id}/consents/${channel}.`;
const noContact =
  'No contact has this phone, so there is no consent to sms. Create the contact with POST /contacts, then record its consent in the dashboard or with PUT /admin/v1/contacts/{id}/consents/sms.';

/** The first rule that blocks a send gives the reason. An email passes the first four only (messaging specification, "What the service does"). */
const rules = [
  {
    name: 'frozen',
    on: channels,
    reason: ({ accountStatus }) => when(accountStatus === 'frozen', 'The account is frozen.'),
  },
  {
    name: 'retired',
    on: ['email'],
    reason: ({ isRetired }) => when(isRetired, 'The contact with this email is retired.'),
  },
  suppressedRule,
  {
    name: 'spam',
    on: channels,
    reason: ({ spam }) => spam && `The spam scan rejects the content (${spam.rule}).`,
  },
  {
    name: 'quarantined',
    on: textChannels,
    reason: ({ contactStatus }) => when(contactStatus === 'quarantined', 'The contact is quarantined.'),
  },
  unsubscribedRule,
  withdrawnRule,
  {
    name: 'no-consent',
    on: ['sms'],
    reason: ({ consent, contactStatus }) => when(consent !== 'active', contactStatus ? notGiven('sms') : noContact),
  },
  {
    // Whatsapp needs none, because its recipients write first. Those whose mail came back, or who complained of it, must have asked for more.
    name: 'left-by-mail',
    on: ['whatsapp'],
    reason: ({ consent, contactStatus }) =>
      when(
        consent !== 'active' && (contactStatus === 'bounced' || contactStatus === 'complained'),
        notGiven('whatsapp'),
      ),
  },
  {
    name: 'quiet-hours',
    on: textChannels,
    reason: ({ quietUntilMs, nowMs }) =>
      isAlwaysQuiet({ quietUntilMs, nowMs })
        ? 'Quiet hours leave no time for a send: at all times, it is quiet in one of the recipient’s possible time zones.'
        : until(quietUntilMs, nowMs, 'Quiet hours apply at the recipient'),
    isOfItsTime: true,
    freeAtMs: (facts) => (isAlwaysQuiet(facts) ? undefined : facts.quietUntilMs),
  },
  {
    name: 'frequency-cap',
    on: textChannels,
    reason: ({ capFreeAtMs, nowMs }) => until(capFreeAtMs, nowMs, 'The frequency cap for this contact is reached'),
    isOfItsTime: true,
    freeAtMs: ({ capFreeAtMs }) => capFreeAtMs,
  },
  {
    name: 'whatsapp-window',
    on: ['whatsapp'],
    reason: ({ windowOpenUntilMs = 0, nowMs }) =>
      when(
        windowOpenUntilMs <= nowMs,
        'The whatsapp window is closed: it opens for 24 hours when the recipient writes to the account.',
      ),
    isOfItsTime: true,
  },
] as const satisfies readonly Rule[];

/** The rule that blocks a send, its reason for the caller, and from when it does not block any more, where a time decides. */
export interface Block {
  readonly by: (typeof rules)[number]['name'];
  readonly reason: string;
  readonly retryAtMs?: number;
}

/** The first rule, in the order of the table, that blocks the message. */
export const firstBlock = (facts: GateFacts): Block | undefined => {
  for (const rule of rules) {
    const { on, isOfItsTime, reason, freeAtMs }: Rule = rule;
    const isAsked = on.includes(facts.channel) && !(isOfItsTime && facts.isAhead);
    const text = isAsked ? reason(facts) : undefined;
    const retryAtMs = freeAtMs?.(facts);
    if (text !== undefined) return { by: rule.name, reason: text, ...(retryAtMs !== undefined && { retryAtMs }) };
  }
  return undefined;
};

/** A slot of the frequency cap for an accepted text: the times to store with the contact, and when they expire. */
export interface Slot {
  readonly times: readonly number[];
  readonly endsMs: number;
}

/** `slot` is undefined without a frequency cap. */
export type Verdict = { readonly blocked: Block } | { readonly slot: Slot | undefined };

/** Whether a draft may be sent in this context, or scheduled. Pure: the write checks that the context is unchanged. */
export const judge = (draft: Draft, context: SendContext, nowMs: number): Verdict => {
  const { message, contact, spam } = draft;
  const { settings, holder, windowOpenUntilMs } = context;
  const { channel } = message;
  const isAhead = message.scheduledAt !== undefined && Date.parse(message.scheduledAt) > nowMs;
  const frequencyCap = channel === 'email' || isAhead ? null : settings.frequencyCap;
  const slots = frequencyCap && slotsAfter(holder?.texted?.cap.times ?? [], frequencyCap, nowMs);
  const blocked = firstBlock({
    ...recipientFacts(channel, context),
    accountStatus: settings.status,
    isRetired: holder?.isRetired === true,
    spam,
    contactStatus: holder?.texted?.status,
    quietUntilMs: 'phone' in contact ? quietUntil(settings.quietHours, contact.phone, nowMs) : undefined,
    capFreeAtMs: slots?.kind === 'full' ? slots.freeAtMs : undefined,
    windowOpenUntilMs,
    nowMs,
    isAhead,
  });
  if (blocked) return { blocked };
  const isTaking = frequencyCap && slots?.kind === 'free';
  return { slot: isTaking ? { times: slots.times, endsMs: nowMs + frequencyCap.windowSeconds * 1_000 } : undefined };
};
