import { longestDelaySeconds } from '../kit/time.ts';

/** The maximum number of attempts at a provider. */
const mostAttempts = 8;

/** A text waits this long for a sender that is over its rate, or that hangs: as long as a scheduled email waits for SES. */
const patienceMs = 24 * 3_600_000;

/** Before its random part. Shorter than the longest delay, so that a sender is kept busy by few texts that wait. */
const longestTurnSeconds = 200;

interface Attempt {
  /** Which one, from 1. */
  readonly attempt: number;
  /** This one, or one before it, may have reached the provider. */
  readonly isUncertain: boolean;
  /** True when the provider sends a message once, however often it is submitted. */
  readonly isRepeatable: boolean;
}

/** The step after an undecided attempt: a retry, waiting for a report, or the end. */
export const afterAttempt = ({ attempt, isUncertain, isRepeatable }: Attempt): 'again' | 'await-report' | 'give-up' => {
  if (attempt < mostAttempts && (isRepeatable || !isUncertain)) return 'again';
  return isUncertain ? 'await-report' : 'give-up';
};

/** Whether a text that has waited for its sender so long may wait on. */
export const mayWaitOn = (waitedMs = 0): boolean => waitedMs < patienceMs;

/**
 * The delay before the next attempt: 1, 2, 4, 8, … seconds plus up to half of it at random, so that failed texts do not all return
 * together; at least the provider's requested delay, where that is no more than 15 minutes. `random` is from 0 to 1.
 */
export const retrySeconds = (attempt: number, waitSeconds: number, random: number): number =>
  Math.min(Math.max(Math.round(2 ** (attempt - 1) * (1 + random / 2)), Math.ceil(waitSeconds)), longestDelaySeconds);

/**
 * The delay of a text whose sender is over its rate: about as long as it has waited, so that new texts are tried more often than those of a burst;
 * from half of that to one and a half at random, and at most five minutes, except where the provider asks for more.
 */
export const turnSeconds = (waitedMs: number, waitSeconds: number, random: number): number => {
  const waitedSeconds = Math.min(waitedMs / 1_000, longestTurnSeconds);
  return Math.min(Math.max(Math.round(waitedSeconds * (0.5 + random)), Math.ceil(waitSeconds), 1), longestDelaySeconds);
};
