/** How many deliveries one replay has at most. */
export const mostReplayed = 100_000;

/** How many events of any name the time of a replay may have, to count those that are meant within one request; and how many later ones are looked through. */
export const mostLookedThrough = 300_000;

/** An event is recorded within minutes; one whose job had to wait longer than this for its replay may be left out of periods that end before. */
const recordedWithinMs = 86_400_000;

/** What is to be delivered again: events of these names that happened in this time. */
export interface Span {
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly names: readonly string[];
}

/** A part of a replay to a subscription: from a place in the log of events on. */
export interface ReplayJob extends Span {
  readonly account: string;
  readonly webhook: string;
  /** Only deliveries that have failed. */
  readonly onlyFailed: boolean;
  readonly after?: { readonly page: string; readonly position: number } | undefined;
  /** Of deliveries that have failed: only those after this one. */
  readonly afterDelivery?: string | undefined;
}

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
