/** The maximum number of attempts at a provider. */
const mostAttempts = 8;

/** SQS's maximum delay of a job. */
const longestWaitSeconds = 900;

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

/**
 * The delay before the next attempt: 1, 2, 4, 8, … seconds plus up to half of it at random, so that failed texts do not all return
 * together; at least the provider's requested delay, where that is no more than 15 minutes. `random` is from 0 to 1.
 */
export const retrySeconds = (attempt: number, waitSeconds: number, random: number): number =>
  Math.min(Math.max(Math.round(2 ** (attempt - 1) * (1 + random / 2)), Math.ceil(waitSeconds)), longestWaitSeconds);
