import { log } from '../../../shared/kit/log.ts';
import type { Clock } from '../../../shared/kit/time.ts';
import type { Text, TextOutcome, TextProvider } from '../../../shared/providers/text/text-provider.ts';

/** A call without a decision that takes this long is a hang. */
const hangMs = 5_000;
/** So many in a row are no accident. */
const mostHangs = 5;
/** Between two trials of a provider that hangs. */
const trialMs = 60_000;

interface Hanging {
  readonly hangs: number;
  /** The next trial. */
  readonly triedAtMs: number;
}

/** `resting`: the provider hangs, so it was not called. */
export type TriedOutcome = TextOutcome | { readonly kind: 'resting'; readonly waitSeconds: number };

/** A provider that may hang. */
export interface TriedProvider extends Pick<TextProvider, 'takesReference'> {
  /** Until the next trial; 0 when a text may be given to it. */
  restMs(): number;
  send(text: Text): Promise<TriedOutcome>;
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
    hanging.set(name, { hangs, triedAtMs: nowMs + trialMs });
    if (hangs >= mostHangs) log('warn', 'a provider hangs, so it is not called for a while', { name, hangs });
  };

  return (name: string, { takesReference, send }: TextProvider): TriedProvider => {
    const restMs = (): number => {
      const { hangs, triedAtMs } = hanging.get(name) ?? { hangs: 0, triedAtMs: 0 };
      return hangs < mostHangs ? 0 : Math.max(0, triedAtMs - clock());
    };

    return {
      takesReference,
      restMs,
      send: async (text) => {
        const startedMs = clock();
        const waitMs = restMs();
        if (waitMs > 0) return { kind: 'resting', waitSeconds: Math.ceil(waitMs / 1_000) };
        const { hangs = 0 } = hanging.get(name) ?? {};
        // The text that tries keeps the others waiting.
        if (hangs >= mostHangs) hanging.set(name, { hangs, triedAtMs: startedMs + trialMs });
        const outcome = await send(text);
        const endedMs = clock();
        if (isUndecided(outcome) && endedMs - startedMs >= hangMs) noteHang(name, endedMs);
        else hanging.delete(name);
        return outcome;
      },
    };
  };
};
