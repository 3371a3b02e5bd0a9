import type { SuppressionReason } from '../contacts/suppression.ts';
import { type Channel, channels, textChannels } from '../messages/message.ts';
import { type ConsentStatus, leftAt } from './consent.ts';
import { isOptedOut, type OptOut } from './opt-out.ts';
import type { SendContext, TextedContact } from './send-context.ts';

/** What a recipient wants, as far as it is known. Undefined means that nothing is. */
export interface RecipientFacts {
  readonly channel: Channel;
  /** Undefined also where the account does not enforce its list. */
  readonly suppressed: SuppressionReason | undefined;
  /** The consent on this channel: `withdrawn` also where the phone is opted out. */
  readonly consent: ConsentStatus | undefined;
  /** From all channels, and it has not agreed to this one since. Where its owner did, another status alone gives no consent back. */
  readonly isUnsubscribed: boolean;
}

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

export const recipientFacts = (
  channel: Channel,
  { settings, holder, optOut, suppressed }: SendContext,
): RecipientFacts => ({
  channel,
  suppressed: settings.suppressions === 'enforced' ? suppressed : undefined,
  consent: optOut && isOptedOut(optOut.said, channel) ? 'withdrawn' : holder?.texted?.consent?.status,
  isUnsubscribed: isUnsubscribed(channel, { ...holder?.texted, said: optOut?.said }),
});

/** A rule of the gate by which a recipient is not written to any more. */
interface RecipientRule {
  readonly name: string;
  readonly on: readonly Channel[];
  /** Why this rule blocks a send, or undefined when it does not. */
  readonly reason: (facts: RecipientFacts) => string | undefined;
}

const again = (channel: Channel): string => `A new consent to ${channel} lifts this.`;

export const suppressedRule = {
  name: 'suppressed',
  on: channels,
  reason: ({ channel, suppressed }) =>
    suppressed && `The recipient is suppressed (${suppressed}). DELETE /suppressions/${channel}/{address} lifts this.`,
} as const satisfies RecipientRule;

export const unsubscribedRule = {
  name: 'unsubscribed',
  on: textChannels,
  reason: ({ channel, isUnsubscribed }) =>
    isUnsubscribed ? `The contact has unsubscribed. ${again(channel)}` : undefined,
} as const satisfies RecipientRule;

export const withdrawnRule = {
  name: 'withdrawn',
  on: textChannels,
  reason: ({ channel, consent }) =>
    consent === 'withdrawn' ? `The contact has withdrawn its consent to ${channel}. ${again(channel)}` : undefined,
} as const satisfies RecipientRule;

/** Why an accepted text that has waited is not to be sent any more, or undefined. The time and the account's state do not matter. */
export const whyNotAnyMore = (channel: Channel, context: SendContext): string | undefined => {
  const facts = recipientFacts(channel, context);
  return [suppressedRule, unsubscribedRule, withdrawnRule]
    .map(({ reason }) => reason(facts))
    .find((reason) => reason !== undefined);
};
