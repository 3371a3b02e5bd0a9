interface Event {
  readonly atMs: number;
  readonly order: number;
  /** False when nothing follows from it. */
  readonly run: () => unknown;
}

const isBefore = (a: Event, b: Event): boolean => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);

/**
 * Resolves when all that follows from what has just happened has happened: promises that are settled go on before it. A turn of the event loop
 * would take longer, and is for answers from outside, which no world waits for.
 */
const settled = () => new Promise<void>((resolve) => process.nextTick(resolve));

/** The events to come, in the order of their time. Between two of them no time passes, and all code that can go on does. */
export const openTimeline = (startMs: number) => {
  const heap: Event[] = [];
  let nowMs = startMs;
  let order = 0;

  /** Puts an event at the free place, or above it. */
  const rise = (event: Event, free: number): void => {
    let place = free;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const other = heap[above];
      if (!other || !isBefore(event, other)) break;
      heap[place] = other;
      place = above;
    }
    heap[place] = event;
  };
  /** Puts an event at the top, which is free, or below it. */
  const sink = (event: Event): void => {
    let place = 0;
    for (;;) {
      const [left, right] = [heap[2 * place + 1], heap[2 * place + 2]];
      const least = left && right && isBefore(right, left) ? right : left;
      if (!least || !isBefore(least, event)) break;
      heap[place] = least;
      place = 2 * place + (least === left ? 1 : 2);
    }
    heap[place] = event;
  };
  const take = (): Event | undefined => {
    const [first, last] = [heap[0], heap.pop()];
    if (last && last !== first) sink(last);
    return first;
  };

  const at = (atMs: number, run: () => unknown): void => {
    order += 1;
    // Clocks count whole milliseconds.
    rise({ atMs: Math.max(Math.ceil(atMs), nowMs), order, run }, heap.length);
  };

  return {
    nowMs: () => nowMs,
    isEmpty: () => heap.length === 0,
    at,
    after: (ms: number, run: () => unknown): void => at(nowMs + ms, run),

    /** Runs all events, and those that follow, until there is none before `endMs`, which is then the time. Returns how many ran. */
    runUntil: async (endMs: number): Promise<number> => {
      let count = 0;
      for (; (heap[0]?.atMs ?? Number.POSITIVE_INFINITY) <= endMs; count += 1) {
        const event = take();
        nowMs = event?.atMs ?? nowMs;
        if (event?.run() !== false) await settled();
      }
      nowMs = Math.max(nowMs, endMs);
      return count;
    },
  };
};
