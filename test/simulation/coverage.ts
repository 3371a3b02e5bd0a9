/** How often calls of one place in the code were made, and met a fault before and after they were carried out. */
export interface Covered {
  calls: number;
  before: number;
  after: number;
}

/** Counts, over many seeds, which calls of which function met faults. */
export const openCoverage = () => {
  const places = new Map<string, Covered>();
  return {
    note: (does: string, label: string, fault: 'before' | 'after' | undefined): void => {
      const place = `${does} | ${label}`;
      const counted = places.get(place) ?? { calls: 0, before: 0, after: 0 };
      places.set(place, counted);
      counted.calls += 1;
      if (fault) counted[fault] += 1;
    },
    rows: (): readonly (readonly [string, Covered])[] => [...places].toSorted(([a], [b]) => (a < b ? -1 : 1)),
  };
};

export type Coverage = ReturnType<typeof openCoverage>;
