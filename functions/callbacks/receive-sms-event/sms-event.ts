import * as z from 'zod';
import type { Trigger } from '../../../shared/messages/moves.ts';

/** What AWS End User Messaging reports of an sms ("event data format"), as far as it is read here. */
const smsEvent = z.object({
  eventType: z.string(),
  /** Missing counts as yes. */
  isFinal: z.boolean().catch(true),
  messageStatusDescription: z.string().optional().catch(undefined),
  context: z.object({ accountId: z.string().optional(), messageId: z.string().optional() }).catch({}),
});

type SmsEvent = z.output<typeof smsEvent>;

/** An sms that was sent to a number of ours ("two-way SMS"), with the plus or without it. */
const inboundSms = z.object({
  originationNumber: z.string(),
  destinationNumber: z.string(),
  messageBody: z.string(),
  inboundMessageId: z.string(),
});

export const smsNews = z.union([inboundSms, smsEvent]);

export type SmsNews = z.output<typeof smsNews>;

/** The ends of a text. */
const triggers: ReadonlyMap<
  string,
  Extract<Trigger, 'deliveryConfirmed' | 'contentRejected' | 'deliveryFailed'>
> = new Map([
  // Which of the two depends on the country.
  ['TEXT_DELIVERED', 'deliveryConfirmed'],
  ['TEXT_SUCCESSFUL', 'deliveryConfirmed'],
  ['TEXT_BLOCKED', 'contentRejected'],
  ['TEXT_CARRIER_BLOCKED', 'contentRejected'],
  ['TEXT_PROTECT_BLOCKED', 'contentRejected'],
  ['TEXT_SPAM', 'contentRejected'],
  ['TEXT_CARRIER_UNREACHABLE', 'deliveryFailed'],
  ['TEXT_INVALID', 'deliveryFailed'],
  ['TEXT_INVALID_MESSAGE', 'deliveryFailed'],
  ['TEXT_TTL_EXPIRED', 'deliveryFailed'],
  ['TEXT_UNREACHABLE', 'deliveryFailed'],
]);

/**
 * The trigger of an event. One that is no end, such as `TEXT_QUEUED`, or while the carrier still tries, says that AWS has the text, which its lost answer
 * may not have said. So does `TEXT_UNKNOWN`: AWS has heard nothing for three days, and the text may have been delivered.
 */
export const meaningOf = ({ eventType, isFinal, messageStatusDescription }: SmsEvent) => {
  const trigger = isFinal ? triggers.get(eventType) : undefined;
  if (trigger === undefined) return { trigger: 'providerAccepted' as const };
  if (trigger === 'deliveryConfirmed') return { trigger };
  const code = eventType.replace('TEXT_', '').toLowerCase();
  return { trigger, failure: { code, reason: messageStatusDescription ?? `The carrier reported ${code}.` } };
};
