import type { AccountSettings } from '../accounts/account.ts';
import type { ContactStatus } from '../contacts/contact.ts';
import { iso } from '../kit/time.ts';
import { type Channel, channels } from '../messages/message.ts';
import type { ConsentStatus } from './consent.ts';

/** All that decides whether a message may go out. What is undefined is not there: no contact yet, no consent, no cap. */
export interface GateFacts {
  readonly channel: Channel;
  readonly accountStatus: AccountSettings['status'];
  /** The address belongs to a contact that was retired. */
  readonly isRetired: boolean;
  /** What the spam scan found. */
  readonly spam: { readonly rule: string } | undefined;
  readonly contactStatus: ContactStatus | undefined;
  /** The consent that stands on this channel: withdrawn too where the phone is opted out, whoever its contact is. */
  readonly consent: ConsentStatus | undefined;
  /** This consent was given after the contact had unsubscribed from all channels. */
  readonly isConsentLater: boolean;
  /** Until when it is quiet where the recipient may be. */
  readonly quietUntilMs: number | undefined;
  /** When the frequency cap has place again. */
  readonly capFreeAtMs: number | undefined;
  /** When the 24-hour window ends that the recipient's last whatsapp message opened. */
  readonly windowOpenUntilMs: number | undefined;
  readonly nowMs: number;
}

interface Rule {
  readonly on: readonly Channel[];
  /** Why this rule blocks a send, or undefined when it does not. */
  readonly reason: (facts: GateFacts) => string | undefined;
}

const texting = ['sms', 'whatsapp'] as const;

const when = (isBlocked: boolean, reason: string): string | undefined => (isBlocked ? reason : undefined);

const until = (freeAtMs: number | undefined, nowMs: number, reason: string): string | undefined =>
  freeAtMs !== undefined && freeAtMs > nowMs ? `${reason}: sending is possible from ${iso(freeAtMs)}.` : undefined;

/** In the order in which they are told. Email passes the first three only (specification, "What the service does"). */
const rules: readonly Rule[] = [
  { on: channels, reason: ({ accountStatus }) => when(accountStatus === 'frozen', 'The account is frozen.') },
  {
    on: channels,
    reason: ({ channel, isRetired }) =>
      when(isRetired, `The contact with this ${channel === 'email' ? 'email' : 'phone'} is retired.`),
  },
  { on: channels, reason: ({ spam }) => spam && `The spam scan refuses the content (${spam.rule}).` },
  {
    on: texting,
    reason: ({ contactStatus }) => when(contactStatus === 'quarantined', 'The contact is quarantined.'),
  },
  {
    on: texting,
    reason: ({ contactStatus, isConsentLater }) =>
      when(contactStatus === 'unsubscribed' && !isConsentLater, 'The contact has unsubscribed.'),
  },
  {
    on: texting,
    reason: ({ channel, consent }) =>
      when(consent === 'withdrawn', `The contact has withdrawn its consent to ${channel}.`),
  },
  {
    on: ['sms'],
    reason: ({ consent }) => when(consent !== 'active', 'The contact has not given its consent to sms.'),
  },
  {
    on: texting,
    reason: ({ quietUntilMs, nowMs }) => until(quietUntilMs, nowMs, 'Quiet hours at the recipient'),
  },
  {
    on: texting,
    reason: ({ capFreeAtMs, nowMs }) => until(capFreeAtMs, nowMs, 'The frequency cap for this contact is reached'),
  },
  {
    on: ['whatsapp'],
    reason: ({ windowOpenUntilMs = 0, nowMs }) =>
      when(
        windowOpenUntilMs <= nowMs,
        'The whatsapp window is closed: it opens for 24 hours when the recipient writes to the account.',
      ),
  },
];

/** Why a message may not go out: the reason of the first rule that blocks it, for the caller. Undefined when none does. */
export const blockOf = (facts: GateFacts): string | undefined => {
  for (const { on, reason } of rules) {
    const text = on.includes(facts.channel) ? reason(facts) : undefined;
    if (text !== undefined) return text;
  }
  return undefined;
};
