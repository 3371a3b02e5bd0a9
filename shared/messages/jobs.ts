import * as z from 'zod';
import { textChannels } from './message.ts';

/** A message that a queue speaks of: ids only, never bodies. */
export const messageJob = z.object({ account: z.string(), message: z.string() });

export type MessageJob = z.output<typeof messageJob>;

/** A text that is to be sent. `turnMs`: when it has its turn at a sender that takes only so many a second. */
export const textJob = messageJob.extend({ channel: z.enum(textChannels), turnMs: z.int().optional() });

export type TextJob = z.output<typeof textJob>;
