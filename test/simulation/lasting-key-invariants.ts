import { dayMs } from '../../shared/kit/time-units.ts';
import type { Invariant, Judged } from './invariants.ts';
import type { KeyedUse } from './lasting-keys.ts';

/** All that one key made, with the uses that were answered so: the first of them began its 24 hours. */
const madeIn = ({
  days,
}: Judged): readonly { readonly key: string; readonly ids: readonly (readonly KeyedUse[])[] }[] => {
  const answered = (days?.lastingKeys.uses ?? []).filter(({ status, id }) => status < 300 && id !== undefined);
  return [...Map.groupBy(answered, ({ key }) => key)].map(([key, uses]) => ({
    key,
    ids: [...Map.groupBy(uses, ({ id }) => id).values()],
  }));
};

const least = (uses: readonly KeyedUse[], of: 'fromMs' | 'toMs'): number => Math.min(...uses.map((use) => use[of]));

export const lastingKeyInvariants: readonly Invariant[] = [
  {
    name: 'an idempotency key makes nothing again for 24 hours',
    violations: (judged) =>
      madeIn(judged).flatMap(({ key, ids }) => {
        const begun = ids.map((uses) => ({ fromMs: least(uses, 'fromMs'), toMs: least(uses, 'toMs') }));
        const sorted = begun.toSorted((one, other) => one.fromMs - other.fromMs);
        const early = sorted.slice(1).filter(({ toMs }, n) => toMs < (sorted[n]?.fromMs ?? 0) + dayMs);
        return early.map(({ fromMs }) => `${key}: made something again at ${fromMs}`);
      }),
  },
  {
    name: 'an idempotency key is free when its 24 hours are over',
    violations: (judged) =>
      madeIn(judged).flatMap(({ key, ids }) =>
        ids.flatMap((uses) => {
          const overMs = least(uses, 'toMs') + dayMs;
          return uses.filter(({ fromMs }) => fromMs > overMs).map(({ fromMs }) => `${key}: still used at ${fromMs}`);
        }),
      ),
  },
];
