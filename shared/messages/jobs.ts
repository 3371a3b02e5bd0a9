import * as z from 'zod';
import { textChannels } from './message.ts';

/**
 * A message that a queue speaks of: ids only, never bodies. What a run knew and could not write to the table goes with it: `acceptedMs`, its
 * provider took it then; `unusedClaim`, under this claim the provider took nothing.
 */
export const messageJob = z.object({
  account: z.string(),
  message: z.string(),
  acceptedMs: z.int().optional(),
  unusedClaim: z.string().optional(),
});

export type MessageJob = z.output<typeof messageJob>;

/**
 * A text that is to be sent. `turnMs`: when it has its turn at a sender that takes only so many a second. `tableFailures`: how often in a
 * row the table has failed.
 */
export const textJob = messageJob.extend({
  channel: z.enum(textChannels),
  turnMs: z.int().optional(),
  tableFailures: z.int().optional(),
});

export type TextJob = z.output<typeof textJob>;
