/** How often a provider is asked in all. */
const mostAttempts = 8;

/** SQS keeps a job back for at most this long. */
const longestWaitSeconds = 900;

interface Attempt {
  /** Which one, from 1. */
  readonly attempt: number;
  /** This one, or one before it, may have reached the provider. */
  readonly isUncertain: boolean;
  /** The provider sends a message once, however often it is asked. */
  readonly isRepeatable: boolean;
}

/** What follows an attempt that brought no decision: another, the wait for a report of what may be out there, or the end. */
export const afterAttempt = ({ attempt, isUncertain, isRepeatable }: Attempt): 'again' | 'await-report' | 'give-up' => {
  if (attempt < mostAttempts && (isRepeatable || !isUncertain)) return 'again';
  return isUncertain ? 'await-report' : 'give-up';
};

/**
 * How long after an attempt a provider is asked again: 1, 2, 4, 8, … seconds and up to half as much more, so that those that failed together
 * do not come back together; never sooner than the provider asked for. `random` is from 0 to 1.
 */
export const retrySeconds = (attempt: number, waitSeconds: number, random: number): number =>
  Math.min(Math.max(Math.round(2 ** (attempt - 1) * (1 + random / 2)), Math.ceil(waitSeconds)), longestWaitSeconds);
