import * as z from 'zod';

/** A message that a queue speaks of: ids only, never bodies. */
export const messageJob = z.object({ account: z.string(), message: z.string() });

export type MessageJob = z.output<typeof messageJob>;
