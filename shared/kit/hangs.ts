import { log } from './log.ts';
import type { Clock } from './time.ts';
import { minuteMs } from './time-units.ts';

/** A call without a decision that takes this long is a hang. */
const hangMs = 5_000;
/** So many in a row are no accident. */
const mostHangs = 5;
/** Between two trials of what hangs. */
const trialMs = minuteMs;

interface Hanging {
  readonly hangs: number;
  /** The next trial. */
  readonly triedAtMs: number;
}

/**
 * Providers that hang, as far as this process knows. Each call of one keeps a run from the work of other accounts for many seconds, so work that
 * can wait does not call it, and one call a minute finds out whether it answers again.
 */
export const hangs = (clock: Clock) => {
  const hanging = new Map<string, Hanging>();

  const noteHang = (name: string, nowMs: number): void => {
    const count = (hanging.get(name)?.hangs ?? 0) + 1;
    hanging.set(name, { hangs: count, triedAtMs: nowMs + trialMs });
    if (count >= mostHangs) log('warn', 'a provider hangs, so it is not called for a while', { name, hangs: count });
  };

  return {
    /** Until the next trial; 0 when it may be called. */
    restMs: (name: string): number => {
      const { hangs: count, triedAtMs } = hanging.get(name) ?? { hangs: 0, triedAtMs: 0 };
      return count < mostHangs ? 0 : Math.max(0, triedAtMs - clock());
    },

    /** Makes a call, and notes whether its provider hangs. Where it does, this call keeps the others waiting. */
    watch: async <Outcome>(
      name: string,
      call: () => Promise<Outcome>,
      isUndecided: (outcome: Outcome) => boolean,
    ): Promise<Outcome> => {
      const startedMs = clock();
      const { hangs: count = 0 } = hanging.get(name) ?? {};
      if (count >= mostHangs) hanging.set(name, { hangs: count, triedAtMs: startedMs + trialMs });
      const outcome = await call();
      const endedMs = clock();
      if (isUndecided(outcome) && endedMs - startedMs >= hangMs) noteHang(name, endedMs);
      else hanging.delete(name);
      return outcome;
    },
  };
};
