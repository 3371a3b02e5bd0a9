import type { AimedWorld } from './aims.ts';
import type { Moment, ServiceName } from './faults.ts';

/** How often calls of one place in the code were made, and met a fault before and after they were carried out. */
export interface Covered {
  readonly service: ServiceName;
  calls: number;
  before: number;
  after: number;
  /** The first worlds that had one. */
  readonly worlds: AimedWorld[];
}

const mostWorlds = 8;

/** A place in the code: the function, and what it calls there. Hosts that differ in their numbers are one place. */
export const placeOf = (does: string, label: string): string => `${does} | ${label.replaceAll(/-\d+\b/g, '-*')}`;

/** Counts, over many worlds, which calls of which function met faults. */
export const openCoverage = () => {
  const places = new Map<string, Covered>();
  return {
    note: (world: AimedWorld, place: string, service: ServiceName, fault: Moment | undefined): void => {
      const known = places.get(place);
      const counted = known ?? { service, calls: 0, before: 0, after: 0, worlds: [] };
      if (!known) places.set(place, counted);
      counted.calls += 1;
      const { worlds } = counted;
      if (worlds.at(-1)?.seed !== world.seed && worlds.length < mostWorlds) worlds.push(world);
      if (fault) counted[fault] += 1;
    },
    rows: (): readonly (readonly [string, Covered])[] => [...places].toSorted(([a], [b]) => (a < b ? -1 : 1)),
  };
};

export type Coverage = ReturnType<typeof openCoverage>;
