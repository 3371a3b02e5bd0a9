const againAfterMs = 60_000;

/** What an error says, where it is one. */
export const reasonOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/**
 * Prints what failed for a reason, and for the same reason again only a minute later: while a disk is full, many calls a second fail in the same
 * way.
 */
export const openComplaints = (
  print: (...what: unknown[]) => void = (...what) => console.error(...what),
  clock: () => number = () => performance.now(),
) => {
  const printedMs = new Map<string, number>();
  return (reason: string, ...what: unknown[]): void => {
    const nowMs = clock();
    for (const [known, atMs] of printedMs) if (nowMs >= atMs + againAfterMs) printedMs.delete(known);
    if (printedMs.has(reason)) return;
    printedMs.set(reason, nowMs);
    print(...what);
  };
};

/** For the emulators, which share the terminal. */
export const complain = openComplaints();
