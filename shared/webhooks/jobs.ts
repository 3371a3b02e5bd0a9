import * as z from 'zod';

/** One attempt to make: ids only, never bodies. */
export const deliveryJob = z.object({
  account: z.string(),
  webhook: z.string(),
  delivery: z.string(),
  /** The first is 1; attempts of earlier rounds count. */
  attempt: z.int().min(1),
  /** How many were made before its round began: once the delivery is sent again, the job is out of date. Missing in jobs of the release before. */
  earlierAttempts: z.int().min(0).optional(),
  /** In which queue it waits: slow targets have one of their own. */
  lane: z.enum(['fast', 'slow']).default('fast'),
  /** What a delivery is made of that is stored only with its first outcome. `pauses`: how often its subscription had been paused; `sequence`: the event's number for it. */
  begins: z
    .object({ eventId: z.string(), event: z.string(), pauses: z.int(), sequence: z.int().default(0) })
    .optional(),
  /** The result of an attempt that was made but could not be stored: the next run records it, and does not call the target. */
  outcome: z.object({ startedMs: z.number(), statusCode: z.int(), responseTime: z.number() }).optional(),
});

export type DeliveryJob = z.output<typeof deliveryJob>;

/** A subscription whose log is to be deleted. */
export const deletionJob = z.object({ account: z.string(), webhook: z.string() });

export type DeletionJob = z.output<typeof deletionJob>;
