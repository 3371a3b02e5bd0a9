import * as z from 'zod';
import { textChannels } from './message.ts';

/**
 * A job about a message: ids only, never bodies. It also carries results that a run could not write to the table: `acceptedMs`, when its
 * provider accepted it; `unusedClaim`, the claim under which the provider accepted nothing.
 */
export const messageJob = z.object({
  account: z.string(),
  message: z.string(),
  acceptedMs: z.int().optional(),
  unusedClaim: z.string().optional(),
});

export type MessageJob = z.output<typeof messageJob>;

/**
 * A text to send. `turnMs`: its reserved time at a rate-limited sender. `tableFailures`: the number of consecutive failures of the
 * table.
 */
export const textJob = messageJob.extend({
  channel: z.enum(textChannels),
  turnMs: z.int().optional(),
  tableFailures: z.int().optional(),
});

export type TextJob = z.output<typeof textJob>;
