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

/** A seed, and what calls meet in its world beside what the seed has. */
export interface AimedWorld {
  readonly seed: number;
  readonly aims: readonly Aim[];
}

/**
 * For each place a slow call, and every fault that can come there before its effect or after it, if it has met none at that moment: each in so
 * many of the worlds that have the place. Then the same for the places that only those worlds have, which keep the aims that led there.
 */
export function* aimsOf(coverage: Coverage, mostWorlds: number): Generator<AimedWorld> {
  const tried = new Set<string>();
  for (;;) {
    const found = coverage.rows().filter(([place]) => !tried.has(place));
    if (mostWorlds === 0 || found.length === 0) return;
    for (const [place, { service, worlds, ...met }] of found) {
      tried.add(place);
      const unmet = moments.filter((moment) => met[moment] === 0).flatMap((moment) => faultsAt(service, moment));
      for (const trouble of [...unmet, 'slow' as const])
        for (const { seed, aims } of worlds.slice(0, mostWorlds)) yield { seed, aims: [...aims, { place, trouble }] };
    }
  }
}

/** As a command line has it: `messages/send-message | Decrypt | lost`. */
export const aimText = ({ place, trouble }: Aim): string => `${place} | ${trouble}`;

/** Whether a fault of a world is that of an aim. */
export const isMeeting = (fault: string, { place, trouble }: Aim): boolean => {
  const [does = ''] = place.split(' | ');
  return fault.startsWith(`${does}#`) && fault.endsWith(` ${trouble}, aimed`);
};

/** The command that shows a world. */
export const commandOf = ({ seed, aims, isSparse }: AimedWorld & { readonly isSparse?: boolean }): string =>
  [
    `npm run simulate -- --seed ${seed}`,
    ...(isSparse ? ['--sparse'] : []),
    ...aims.map((aim) => `--aim '${aimText(aim)}'`),
  ].join(' ');

/** Undefined: it is none. */
export const aimOf = (text: string): Aim | undefined => {
  const [does, label, wanted] = text.split(' | ');
  const trouble = [...faultNames, 'slow' as const].find((each) => each === wanted);
  return trouble && { place: `${does} | ${label}`, trouble };
};
