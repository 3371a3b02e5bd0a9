import type { Coverage } from './coverage.ts';
import { type FaultName, faultNames, faultsAt, type Moment } from './faults.ts';

/** `slow`: nothing goes wrong with the call, but it takes nearly as long as its caller waits, and others run meanwhile. */
export type Trouble = FaultName | 'slow';

/** What one call of a place meets, whenever it is: the first of a world, or as many calls later. */
export interface Aim {
  readonly place: string;
  readonly trouble: Trouble;
  readonly later: number;
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
      seeds.slice(0, worlds).map((seed, n) => ({ seed, aim: { place, trouble, later: n >> 1 } })),
    );
  });

/** As a command line has it: `messages/send-message | Decrypt | lost | 2`. */
export const aimText = ({ place, trouble, later }: Aim): string => `${place} | ${trouble} | ${later}`;

/** @throws Error what is not one */
export const aimOf = (text: string): Aim => {
  const [does, label, wanted, later] = text.split(' | ');
  const trouble = [...faultNames, 'slow' as const].find((each) => each === wanted);
  if (!trouble || !/^\d+$/.test(later ?? ''))
    throw new Error('an aim is FUNCTION | CALL | FAULT OR slow | HOW MANY CALLS LATER');
  return { place: `${does} | ${label}`, trouble, later: Number(later) };
};
