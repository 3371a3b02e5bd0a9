import * as z from 'zod';

/** The header of an answer with what an earlier request with the same idempotency key created. */
export const replayMark = z.object({ 'Idempotent-Replay': z.literal('true').optional() });

export const replayMarkOf = (isReplay: boolean): z.output<typeof replayMark> =>
  isReplay ? { 'Idempotent-Replay': 'true' } : {};
