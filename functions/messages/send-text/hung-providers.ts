import { hangs } from '../../../shared/kit/hangs.ts';
import type { Clock } from '../../../shared/kit/time.ts';
import type { Text, TextOutcome, TextProvider } from '../../../shared/providers/text/text-provider.ts';

/** `resting`: the provider hangs, so it was not called. */
export type TriedOutcome = TextOutcome | { readonly kind: 'resting'; readonly waitSeconds: number };

/** A provider that may hang. */
export interface TriedProvider extends Pick<TextProvider, 'takesReference'> {
  /** Until the next trial; 0 when a text may be given to it. */
  restMs(): number;
  send(text: Text): Promise<TriedOutcome>;
}

const isUndecided = ({ kind }: TextOutcome): boolean => kind === 'unknown' || kind === 'unavailable';

/** Texts of a provider that hangs wait without a call, but for the one that tries it. */
export const hungProviders = (clock: Clock) => {
  const { restMs, watch } = hangs(clock);
  return (name: string, { takesReference, send }: TextProvider): TriedProvider => ({
    takesReference,
    restMs: () => restMs(name),
    send: async (text) => {
      const waitMs = restMs(name);
      if (waitMs > 0) return { kind: 'resting', waitSeconds: Math.ceil(waitMs / 1_000) };
      return watch(name, () => send(text), isUndecided);
    },
  });
};
