import * as z from 'zod';

/** How many deliveries one replay has at most. */
export const mostReplayed = 100_000;

/** How many events of any name the time of a replay may have, to count those that are meant within one request; and how many later ones are looked through. */
export const mostLookedThrough = 300_000;

/** An event is recorded within minutes; one whose job had to wait longer than this for its replay may be left out of periods that end before. */
const recordedWithinMs = 86_400_000;

/** What is to be delivered again: events of these names that happened in this time. */
const span = z.object({ sinceMs: z.number(), untilMs: z.number(), names: z.array(z.string()).readonly() });

export type Span = z.output<typeof span>;

/** A part of a replay to a subscription. Each part queues the next one. */
export const replayJob = span.extend({
  account: z.string(),
  webhook: z.string(),
  /** Only deliveries that have failed. */
  onlyFailed: z.boolean(),
  /** Of all events: where the part before ended in the log. Without it, the replay begins at `sinceMs`. */
  after: z.object({ page: z.string(), position: z.int() }).optional(),
  /** Of deliveries that have failed: only those after this one. */
  afterDelivery: z.string().optional(),
});

export type ReplayJob = z.output<typeof replayJob>;

export const isInTime = (
  { sinceMs, untilMs }: Pick<Span, 'sinceMs' | 'untilMs'>,
  { occurredMs }: { readonly occurredMs: number },
): boolean => occurredMs >= sinceMs && occurredMs <= untilMs;

export const isInSpan = (
  span: Span,
  { name, occurredMs }: { readonly name: string; readonly occurredMs: number },
): boolean => isInTime(span, { occurredMs }) && span.names.includes(name);

/** Until when events of a time are looked for in the log. */
export const recordedUntilMs = ({ untilMs }: Pick<Span, 'untilMs'>): number => untilMs + recordedWithinMs;
