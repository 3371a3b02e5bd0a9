/** An event as its account's log lists it. */
export interface LoggedEvent {
  readonly id: string;
  readonly name: string;
  readonly occurredMs: number;
  /** The subscriptions whose next number it got, paused ones included. */
  readonly wantedBy: readonly string[];
}

/** Where an event is in its account's log, and its number for each subscription that wanted it. Both count from 1, without gaps. */
export interface Numbered {
  readonly position: number;
  readonly sequences: Readonly<Record<string, number>>;
}

/** The end of an account's log. */
export interface LogEnd {
  /** How many events there have been, in all and for each subscription. */
  readonly last: number;
  readonly totals: ReadonlyMap<string, number>;
  /** The last events, which are on no page yet. */
  readonly tail: readonly LoggedEvent[];
  /** Events on pages that were not stored when their page was written: a run died, and its job has yet to come back. */
  readonly late: Readonly<Record<string, Numbered>>;
}

/** The position of the first event of the tail. */
export const firstOfTail = ({ last, tail }: LogEnd): number => last - tail.length + 1;

/** The numbers of the events that may not be stored yet. Those of the tail are counted back from the totals, because an append adds to both. */
export const numbersIn = ({ last, totals, tail, late }: LogEnd): ReadonlyMap<string, Numbered> => {
  const left = new Map(totals);
  const takeFrom = (webhook: string): number => {
    const number = left.get(webhook) ?? 0;
    left.set(webhook, number - 1);
    return number;
  };
  const ofTail = [...tail].reverse().map(({ id, wantedBy }, n) => {
    const sequences = Object.fromEntries(wantedBy.map((webhook) => [webhook, takeFrom(webhook)]));
    return [id, { position: last - n, sequences }] as const;
  });
  return new Map([...Object.entries(late), ...ofTail]);
};

/** A page is usually written for so many events: with more at the end of a usual log, that would be larger than 1 KB. */
export const usualPage = 6;

/** When a tail is longer, the run that was to write its page may have died, so any run writes it. */
export const longestTail = 3 * usualPage;

/**
 * Whether the run that has added so many events to a tail writes a page. Of several runs at once it is the one whose event completes another six,
 * because each that tries pays for it.
 */
export const endsPage = (tail: number, added: number): boolean =>
  tail > longestTail || Math.floor(tail / usualPage) > Math.floor((tail - added) / usualPage);

/** From this length on, the tail no longer waits for an event that is not stored. */
const impatientFrom = 50;

/** How many events a page has at most. */
export const longestPage = 100;

/** The first events of the tail, for a page: those that are stored or, when the tail is too long, all. */
export const pageOf = (tail: readonly LoggedEvent[], stored: ReadonlySet<string>): readonly LoggedEvent[] => {
  if (tail.length >= impatientFrom) return tail.slice(0, longestPage);
  const gap = tail.findIndex(({ id }) => !stored.has(id));
  return gap < 0 ? tail : tail.slice(0, gap);
};
