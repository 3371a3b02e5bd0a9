import type { AccountSettings } from '../accounts/account.ts';

type FrequencyCap = NonNullable<AccountSettings['frequencyCap']>;

/** `free`: the send is allowed, with the times to store. `full`: it is not allowed before `freeAtMs`. */
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
  // As many sends as are too many must leave the window: the last of them frees the slot.
  const inTheWay = counting.at(-max);
  return counting.length < max || inTheWay === undefined
    ? { kind: 'free', times: [...counting, nowMs] }
    : { kind: 'full', freeAtMs: inTheWay + windowMs };
};
