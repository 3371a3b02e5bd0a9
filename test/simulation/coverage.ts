import type { Moment, ServiceName } from './faults.ts';

/** How often calls of one place in the code were made, and met a fault before and after they were carried out. */
export interface Covered {
  readonly service: ServiceName;
  calls: number;
  before: number;
  after: number;
  /** The first worlds that had one. */
  readonly seeds: number[];
}

const mostSeeds = 8;

/** A place in the code: the function, and what it calls there. Hosts that differ in their numbers are one place. */
export const placeOf = (does: string, label: string): string => `${does} | ${label.replaceAll(/-\d+\b/g, '-*')}`;

/** Counts, over many seeds, which calls of which function met faults. */
export const openCoverage = () => {
  const places = new Map<string, Covered>();
  return {
    note: (seed: number, place: string, service: ServiceName, fault: Moment | undefined): void => {
      const counted = places.get(place) ?? { service, calls: 0, before: 0, after: 0, seeds: [] };
      places.set(place, counted);
      counted.calls += 1;
      if (counted.seeds.at(-1) !== seed && counted.seeds.length < mostSeeds) counted.seeds.push(seed);
      if (fault) counted[fault] += 1;
    },
    rows: (): readonly (readonly [string, Covered])[] => [...places].toSorted(([a], [b]) => (a < b ? -1 : 1)),
  };
};

export type Coverage = ReturnType<typeof openCoverage>;
