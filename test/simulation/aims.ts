import type { Coverage } from './coverage.ts';
import { type FaultName, faultNames, faultsAt, type Moment } from './faults.ts';

/** `slow`: nothing goes wrong with the call, but it takes nearly as long as its caller waits, and others run meanwhile. */
export type Trouble = FaultName | 'slow';

/** What the first call of a place meets in a world, whenever it is. */
export interface Aim {
  readonly place: string;
  readonly trouble: Trouble;
}

const moments: readonly Moment[] = ['before', 'after'];

/**
 * For each place a slow call, and every fault that can come there before its effect or after it, if it has met none at that moment: each in so
 * many of the worlds that have the place.
 */
export const aimsOf = (coverage: Coverage, worlds: number): readonly { readonly seed: number; readonly aim: Aim }[] =>
  coverage.rows().flatMap(([place, { service, seeds, ...met }]) => {
    const unmet = moments.filter((moment) => met[moment] === 0).flatMap((moment) => faultsAt(service, moment));
    return [...unmet, 'slow' as const].flatMap((trouble) =>
      seeds.slice(0, worlds).map((seed) => ({ seed, aim: { place, trouble } })),
    );
  });

/** As a command line has it: `messages/send-message | Decrypt | lost`. */
export const aimText = ({ place, trouble }: Aim): string => `${place} | ${trouble}`;

/** Undefined: it is none. */
export const aimOf = (text: string): Aim | undefined => {
  const [does, label, wanted] = text.split(' | ');
  const trouble = [...faultNames, 'slow' as const].find((each) => each === wanted);
  return trouble && { place: `${does} | ${label}`, trouble };
};
