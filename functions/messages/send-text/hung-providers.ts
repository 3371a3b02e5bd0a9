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

const isUndecided = ({ kind }: TextOutcome): boolean => kind === 'unknown' || kind === 'unavailable';

/**
 * Providers that hang, as far as this process knows. Each call of one keeps a run from the texts of other accounts for ten seconds. So its texts
 * count as not accepted, without a call, and one text a minute finds out whether it answers again.
 */
export const hungProviders = (clock: Clock) => {
  const hanging = new Map<string, Hanging>();

  /** How long a text is not to be given to it. The text that tries keeps the others waiting. */
  const waitMsAt = (name: string, nowMs: number): number => {
    const { hangs, triedAtMs } = hanging.get(name) ?? { hangs: 0, triedAtMs: 0 };
    if (hangs < mostHangs) return 0;
    if (nowMs >= triedAtMs) hanging.set(name, { hangs, triedAtMs: nowMs + restMs });
    return Math.max(0, triedAtMs - nowMs);
  };

  const noteHang = (name: string, nowMs: number): void => {
    const hangs = (hanging.get(name)?.hangs ?? 0) + 1;
    hanging.set(name, { hangs, triedAtMs: nowMs + restMs });
    if (hangs >= mostHangs) log('warn', 'a provider hangs, so it is not called for a while', { name, hangs });
  };

  return (name: string, provider: TextProvider): TextProvider => ({
    ...provider,
    send: async (text) => {
      const startedMs = clock();
      const waitMs = waitMsAt(name, startedMs);
      if (waitMs > 0) return { kind: 'unavailable', waitSeconds: Math.ceil(waitMs / 1_000) };
      const outcome = await provider.send(text);
      const endedMs = clock();
      if (isUndecided(outcome) && endedMs - startedMs >= hangMs) noteHang(name, endedMs);
      else hanging.delete(name);
      return outcome;
    },
  });
};
