import * as z from 'zod';

/** One attempt to make: ids only, never bodies. */
export const deliveryJob = z.object({
  account: z.string(),
  webhook: z.string(),
  delivery: z.string(),
  /** The first is 1; attempts of earlier rounds count. */
  attempt: z.int().min(1),
  /** In which queue it waits: slow targets have one of their own. */
  lane: z.enum(['fast', 'slow']).default('fast'),
  /** The result of an attempt that was made but could not be stored. */
  outcome: z.object({ startedMs: z.number(), statusCode: z.int(), responseTime: z.number() }).optional(),
});

export type DeliveryJob = z.output<typeof deliveryJob>;

/** How many deliveries one job begins, so that an event of many subscriptions is worked on in parts, and by several at once. */
export const listenersPerJob = 20;

/** An event that was kept, and some of the subscriptions that it is to be delivered to. */
export const fanOutJob = z.object({
  account: z.string(),
  eventId: z.string(),
  event: z.string(),
  atMs: z.int(),
  listeners: z.array(z.object({ id: z.string(), pauses: z.int() })).max(listenersPerJob),
});

export type FanOutJob = z.output<typeof fanOutJob>;

/** How long the deletion of a subscription's log waits: no request can still be at work then that saw the subscription. */
export const deletionDelaySeconds = 60;

/** A subscription whose log is to be deleted. */
export const deletionJob = z.object({ account: z.string(), webhook: z.string() });

export type DeletionJob = z.output<typeof deletionJob>;
