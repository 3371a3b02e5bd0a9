import * as z from 'zod';
import { textChannels } from './message.ts';

/**
 * A message that a queue speaks of: ids only, never bodies. `acceptedMs`: its provider took it then, and the table could not be told, so
 * that is all that is left to do.
 */
export const messageJob = z.object({ account: z.string(), message: z.string(), acceptedMs: z.int().optional() });

export type MessageJob = z.output<typeof messageJob>;

/**
 * A text that is to be sent. `turnMs`: when it has its turn at a sender that takes only so many a second. `unusedClaim`: a claim under which
 * the provider has certainly taken nothing, and which could not be ended. `tableFailures`: how often in a row the table has failed.
 */
export const textJob = messageJob.extend({
  channel: z.enum(textChannels),
  turnMs: z.int().optional(),
  unusedClaim: z.string().optional(),
  tableFailures: z.int().optional(),
});

export type TextJob = z.output<typeof textJob>;
