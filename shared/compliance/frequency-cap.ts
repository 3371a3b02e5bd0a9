import type { AccountSettings } from '../accounts/account.ts';

type FrequencyCap = NonNullable<AccountSettings['frequencyCap']>;

/** `free`: the send may be made, and these are the times to keep. `full`: it may not be before `freeAtMs`. */
export type Slots =
  | { readonly kind: 'free'; readonly times: number[] }
  | { readonly kind: 'full'; readonly freeAtMs: number };

/**
 * Whether a contact may be sent another message, after those accepted at `times` (in any order, in milliseconds since 1970). In no stretch of
 * `windowSeconds` there are more than `max`; a send from exactly that long ago no longer counts. Times that will not count again are
 * left out of what is to be kept. One from the future, by a clock that is ahead, counts.
 */
export const slotsAfter = (times: readonly number[], { max, windowSeconds }: FrequencyCap, nowMs: number): Slots => {
  const windowMs = windowSeconds * 1_000;
  const counting = times.filter((timeMs) => timeMs > nowMs - windowMs).toSorted((a, b) => a - b);
  // As many have to leave the window as there are too many: the last of them is the one that makes place.
  const inTheWay = counting.at(-max);
  return counting.length < max || inTheWay === undefined
    ? { kind: 'free', times: [...counting, nowMs] }
    : { kind: 'full', freeAtMs: inTheWay + windowMs };
};
