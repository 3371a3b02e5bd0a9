import type { Coverage } from './coverage.ts';
import { type FaultName, faultNames, faultsAt, type Moment } from './faults.ts';

/** A fault that one call of a place meets, whenever it is: the first of a world, or as many calls later. */
export interface Aim {
  readonly place: string;
  readonly fault: FaultName;
  readonly later: number;
}

const moments: readonly Moment[] = ['before', 'after'];

/** What can go wrong at places that met no fault before their effect, or none after it, each in so many of the worlds that have the place. */
export const aimsOf = (coverage: Coverage, worlds: number): readonly { readonly seed: number; readonly aim: Aim }[] =>
  coverage.rows().flatMap(([place, covered]) =>
    moments
      .filter((moment) => covered[moment] === 0)
      .flatMap((moment) => faultsAt(covered.service, moment))
      .flatMap((fault) =>
        covered.seeds.slice(0, worlds).map((seed, n) => ({ seed, aim: { place, fault, later: n >> 1 } })),
      ),
  );

/** As a command line has it: `messages/send-message | Decrypt | lost | 2`. */
export const aimText = ({ place, fault, later }: Aim): string => `${place} | ${fault} | ${later}`;

/** @throws Error what is not one */
export const aimOf = (text: string): Aim => {
  const [does, label, fault, later] = text.split(' | ');
  const name = faultNames.find((each) => each === fault);
  if (!name || !/^\d+$/.test(later ?? '')) throw new Error('an aim is FUNCTION | CALL | FAULT | HOW MANY CALLS LATER');
  return { place: `${does} | ${label}`, fault: name, later: Number(later) };
};
