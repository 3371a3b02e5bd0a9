import { log } from '../../../shared/kit/log.ts';
import type { Clock } from '../../../shared/kit/time.ts';
import type { TextOutcome, TextProvider } from '../../../shared/providers/text/text-provider.ts';

/** A call without a decision that takes this long is a hang. */
const hangMs = 5_000;
/** So many in a row are no accident. */
const mostHangs = 5;
/** Between two trials of a provider that hangs. */
const restMs = 60_000;

interface Hanging {
  readonly hangs: number;
  /** The next trial. */
  readonly triedAtMs: number;
}

/** A provider that may hang. */
export interface TriedProvider extends TextProvider {
  /** Until the next trial; 0 when a text may be given to it now. The one that is told so tries for all: it keeps the others waiting. */
  restMs(): number;
}

const isUndecided = ({ kind }: TextOutcome): boolean => kind === 'unknown' || kind === 'unavailable';

/**
 * Providers that hang, as far as this process knows. Each call of one keeps a run from the texts of other accounts for ten seconds. So its texts
 * wait, without a call, and one text a minute finds out whether it answers again.
 */
export const hungProviders = (clock: Clock) => {
  const hanging = new Map<string, Hanging>();

  const noteHang = (name: string, nowMs: number): void => {
    const hangs = (hanging.get(name)?.hangs ?? 0) + 1;
    hanging.set(name, { hangs, triedAtMs: nowMs + restMs });
    if (hangs >= mostHangs) log('warn', 'a provider hangs, so it is not called for a while', { name, hangs });
  };

  return (name: string, provider: TextProvider): TriedProvider => ({
    ...provider,

    restMs: () => {
      const { hangs, triedAtMs } = hanging.get(name) ?? { hangs: 0, triedAtMs: 0 };
      if (hangs < mostHangs) return 0;
      const nowMs = clock();
      if (nowMs >= triedAtMs) hanging.set(name, { hangs, triedAtMs: nowMs + restMs });
      return Math.max(0, triedAtMs - nowMs);
    },

    send: async (text) => {
      const startedMs = clock();
      const outcome = await provider.send(text);
      const endedMs = clock();
      if (isUndecided(outcome) && endedMs - startedMs >= hangMs) noteHang(name, endedMs);
      else hanging.delete(name);
      return outcome;
    },
  });
};
