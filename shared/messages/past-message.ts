import type { Message } from './message.ts';

/** What a message's moves change, without the texts. */
export type PastState = Pick<Message, 'status' | 'sentAt' | 'deliveredAt' | 'failedAt' | 'failureCode'>;

/**
 * A message as it was in an earlier state, from what it is now. The reason of a failure goes with its code: a message that has failed stays
 * so, and only a code that is no failure is ever replaced.
 */
export const asItWas = (
  message: Message,
  { status, sentAt, deliveredAt, failedAt, failureCode }: PastState,
): Message => ({
  ...message,
  status,
  sentAt,
  deliveredAt,
  failedAt,
  failureCode,
  failureReason: failureCode !== null && failureCode === message.failureCode ? message.failureReason : null,
});
