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

  const swap = (a: number, b: number): void => {
    const [left, right] = [heap[a], heap[b]];
    if (left && right) [heap[a], heap[b]] = [right, left];
  };
  const isLess = (a: number, b: number): boolean => {
    const [left, right] = [heap[a], heap[b]];
    return left !== undefined && right !== undefined && isBefore(left, right);
  };
  const rise = (from: number): void => {
    const above = (from - 1) >> 1;
    if (from === 0 || !isLess(from, above)) return;
    swap(from, above);
    rise(above);
  };
  const sink = (from: number): void => {
    const [left, right] = [2 * from + 1, 2 * from + 2];
    const least = isLess(right, left) ? right : left;
    if (!isLess(least, from)) return;
    swap(from, least);
    sink(least);
  };
  const take = (): Event | undefined => {
    swap(0, heap.length - 1);
    const first = heap.pop();
    sink(0);
    return first;
  };

  const at = (atMs: number, run: () => unknown): void => {
    order += 1;
    // Clocks count whole milliseconds.
    rise(heap.push({ atMs: Math.max(Math.ceil(atMs), nowMs), order, run }) - 1);
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
