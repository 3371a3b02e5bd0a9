import type { Mistake } from './mistake.ts';
import { openSimulation } from './simulate.ts';

export interface Found {
  readonly seed: number;
  readonly invariants: readonly string[];
}

/** The first seed that finds a mistake, of so many; undefined if none does. */
export const findMistake = async (mistake: Mistake, most: number): Promise<Found | undefined> => {
  const { run } = await openSimulation([mistake]);
  for (let seed = 1; seed <= most; seed += 1) {
    const { broken } = await run(seed);
    if (broken.length > 0) return { seed, invariants: [...new Set(broken.map(({ invariant }) => invariant))] };
  }
  return undefined;
};
