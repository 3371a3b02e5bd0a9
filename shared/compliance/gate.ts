import type { AccountSettings } from '../accounts/account.ts';
import type { ContactStatus } from '../contacts/contact.ts';
import type { SuppressionReason } from '../contacts/suppression.ts';
import { iso } from '../kit/time.ts';
import type { Mail } from '../messages/mail.ts';
import { type Channel, channels, textChannels } from '../messages/message.ts';
import type { AcceptedMessage } from '../messages/new-message.ts';
import type { Recipient } from '../messages/recipient.ts';
import { type ConsentStatus, leftAt } from './consent.ts';
import { type Slots, slotsAfter } from './frequency-cap.ts';
import { isOptedOut, type OptOut } from './opt-out.ts';
import { isEndless, quietUntil } from './quiet-hours.ts';

/** A message to accept. */
export interface Draft {
  readonly message: AcceptedMessage;
  readonly contact: Recipient['contact'];
  /** The content of an sms or whatsapp message, stored until a worker sends it. */
  readonly text?: string | undefined;
  /** A scheduled email, stored until its time. */
  readonly mail?: Mail | undefined;
  /** When a text that is still unsent is not to be sent any more. */
  readonly expiresMs?: number | undefined;
  /** The result of the spam scan. */
  readonly spam?: { readonly rule: string } | undefined;
}

/** The contact's data that decides about a text. The accepting transaction checks that it is unchanged. */
export interface TextedContact {
  readonly status: ContactStatus;
  readonly updatedAt: string;
  /** When it last unsubscribed. */
  readonly unsubscribedAt: string | null;
  /** Its owner unsubscribed it. */
  readonly hasLeft: boolean;
  /** The current consent on the text's channel. */
  readonly consent: { readonly status: ConsentStatus; readonly at: string } | undefined;
  /** The versions of its consents and its phone's opt-out, if it knows of them: then it is not unchanged when any of them is not. */
  readonly said?: { readonly consents: number; readonly optOut: number } | undefined;
  /** The times of texts to it that may count for the frequency cap. */
  readonly cap: { readonly times: readonly number[]; readonly version: number };
}

/** The contact that has the recipient's address. */
export interface Holder {
  readonly contactId: string;
  /** A retired contact keeps its email and releases its phone. */
  readonly isRetired: boolean;
  /** Read for texts only. */
  readonly texted?: TextedContact;
}

/** The context that a draft is judged by. */
export interface SendContext {
  readonly settings: AccountSettings;
  /** Undefined when the send creates the contact. */
  readonly holder: Holder | undefined;
  /** The opt-out of the recipient's phone, which stays with the phone. Read for a text only. */
  readonly optOut: { readonly said: OptOut; readonly version: number } | undefined;
  /** Why the recipient is not to be written to on this channel, if it is on the account's list. */
  readonly suppressed?: SuppressionReason | undefined;
  /** The end of the recipient's 24-hour window. Read for whatsapp only. */
  readonly windowOpenUntilMs: number | undefined;
  /** The number of items that the account's credits lie in; 1 by default. */
  readonly creditShards?: number;
}

/** The facts that decide whether a message may be sent. Undefined means that there is none: no contact yet, no consent, no cap. */
export interface GateFacts {
  readonly channel: Channel;
  readonly accountStatus: AccountSettings['status'];
  readonly isRetired: boolean;
  /** Undefined also where the account does not enforce its list. */
  readonly suppressed: SuppressionReason | undefined;
  readonly spam: Draft['spam'];
  readonly contactStatus: ContactStatus | undefined;
  /** The consent on this channel: `withdrawn` also where the phone is opted out. */
  readonly consent: ConsentStatus | undefined;
  /** From all channels, and it has not agreed to this one since. Where its owner did, another status alone gives no consent back. */
  readonly isUnsubscribed: boolean;
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
  /** The recipient is not to be written to any more, which also ends an accepted text that still waits. */
  readonly endsWaiting?: true;
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
  {
    name: 'suppressed',
    on: channels,
    reason: ({ suppressed }) => suppressed && `The recipient is suppressed (${suppressed}).`,
    endsWaiting: true,
  },
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
  {
    name: 'unsubscribed',
    on: textChannels,
    reason: ({ isUnsubscribed }) => when(isUnsubscribed, 'The contact has unsubscribed.'),
    endsWaiting: true,
  },
  {
    name: 'withdrawn',
    on: textChannels,
    reason: ({ channel, consent }) =>
      when(consent === 'withdrawn', `The contact has withdrawn its consent to ${channel}.`),
    endsWaiting: true,
  },
  {
    name: 'no-consent',
    on: ['sms'],
    reason: ({ consent }) => when(consent !== 'active', 'The contact has not given its consent to sms.'),
  },
  {
    name: 'quiet-hours',
    on: textChannels,
    reason: ({ quietUntilMs, nowMs }) =>
      isAlwaysQuiet({ quietUntilMs, nowMs })
        ? 'Quiet hours apply at the recipient at all times, in one of its possible time zones or another.'
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

/** Undefined when no rule blocks the message. `asked`: the rules that count. */
export const blockOf = (facts: GateFacts, asked: readonly (typeof rules)[number][] = rules): Block | undefined => {
  for (const rule of asked) {
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

interface Standing
  extends Partial<Pick<TextedContact, 'status' | 'unsubscribedAt' | 'hasLeft' | 'updatedAt' | 'consent'>> {
  readonly said: OptOut | undefined;
}

/** A consent to this channel ends it; on whatsapp, which needs none, the holder of the phone may also have asked for messages again on another one. */
const isUnsubscribed = (channel: Channel, { consent, said, ...contact }: Standing): boolean => {
  const sinceAt = leftAt(contact);
  if (sinceAt === undefined) return false;
  const agreed = channel === 'whatsapp' ? [consent, said?.any] : [consent];
  return !agreed.some((one) => one?.status === 'active' && one.at > sinceAt);
};

const isAhead = ({ scheduledAt }: AcceptedMessage, nowMs: number): boolean =>
  scheduledAt !== undefined && Date.parse(scheduledAt) > nowMs;

const factsOf = (
  { message, contact, spam }: Draft,
  { settings, holder, ...context }: SendContext,
  slots: Slots | null,
  nowMs: number,
): GateFacts => {
  const { channel } = message;
  const { status, consent } = { ...holder?.texted };
  const isOut = context.optOut !== undefined && isOptedOut(context.optOut.said, channel);
  return {
    channel,
    accountStatus: settings.status,
    isRetired: holder?.isRetired === true,
    suppressed: settings.suppressions === 'enforced' ? context.suppressed : undefined,
    spam,
    contactStatus: status,
    consent: isOut ? 'withdrawn' : consent?.status,
    isUnsubscribed: isUnsubscribed(channel, { ...holder?.texted, said: context.optOut?.said }),
    quietUntilMs: 'phone' in contact ? quietUntil(settings.quietHours, contact.phone, nowMs) : undefined,
    capFreeAtMs: slots?.kind === 'full' ? slots.freeAtMs : undefined,
    windowOpenUntilMs: context.windowOpenUntilMs,
    nowMs,
    isAhead: isAhead(message, nowMs),
  };
};

/** Whether a draft may be sent in this context, or scheduled. Pure: the write checks that the context is unchanged. */
export const judge = (draft: Draft, context: SendContext, nowMs: number): Verdict => {
  const { message } = draft;
  const { settings, holder } = context;
  const frequencyCap = message.channel === 'email' || isAhead(message, nowMs) ? null : settings.frequencyCap;
  const slots = frequencyCap && slotsAfter(holder?.texted?.cap.times ?? [], frequencyCap, nowMs);
  const blocked = blockOf(factsOf(draft, context, slots, nowMs));
  if (blocked) return { blocked };
  const isTaking = frequencyCap && slots?.kind === 'free';
  return { slot: isTaking ? { times: slots.times, endsMs: nowMs + frequencyCap.windowSeconds * 1_000 } : undefined };
};

/** Why an accepted text that has waited is not to be sent any more. It has its slot, and the time and the account's state do not matter. */
export const blockOfWaiting = (draft: Draft, context: SendContext, nowMs: number): Block | undefined =>
  blockOf(
    factsOf(draft, context, null, nowMs),
    rules.filter((rule) => 'endsWaiting' in rule),
  );
