import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { Unavailable } from '../kit/fault.ts';
import { log } from '../kit/log.ts';
import { metered } from '../kit/metrics.ts';

/** No attempt begins later than this after the first, so a call ends within 9 s; a function has 25 s. */
const beginWithinMs = 5_000;
const firstPauseMs = 10;
const longestPauseMs = 200;

interface Patience {
  readonly beginWithinMs?: number;
  /** False outside of functions, which alone have a log. */
  readonly isLogged?: boolean;
  /** From 0 to 1. */
  readonly random?: () => number;
}

/**
 * Retries a call after transient failures, with full jitter, until a deadline. A failed attempt may have been executed, so
 * `call` must be idempotent.
 * @throws Unavailable when the deadline passes
 */
export const retried = async <Result>(call: () => Promise<Result>, patience: Patience = {}): Promise<Result> => {
  const beganMs = performance.now();
  const lastBeginMs = beganMs + (patience.beginWithinMs ?? beginWithinMs);
  let failure: unknown;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const result = await call();
      if (attempt > 1 && patience.isLogged !== false) reportWait(failure, attempt - 1, beganMs);
      return result;
    } catch (thrown) {
      if (!isPassing(thrown)) throw thrown;
      if (performance.now() > lastBeginMs) throw new Unavailable('an AWS service is unavailable', { cause: thrown });
      failure = thrown;
      await pauseAfter(attempt, patience.random);
    }
  }
};

/** A call that succeeded after some tries. One that did not is in the error of its request or job. */
const reportWait = (failure: unknown, retries: number, beganMs: number): void => {
  const reason = waitReason(failure);
  const waitedMs = Math.round(performance.now() - beganMs);
  log('info', 'a call of AWS was made again', { reason, waitedMs, retries, ...metered({ retries }, reason) });
};

const waitReason = (failure: unknown): 'conflict' | 'throttled' | 'failed' => {
  if (!(failure instanceof Error)) return 'failed';
  const names = [failure.name, ...described.parse(failure).CancellationReasons.map(({ Code }) => Code)];
  if (names.some((name) => /Conflict|InProgress/.test(name))) return 'conflict';
  return names.some((name) => /Throttling|Throttled|Exceeded|TooMany/.test(name)) ? 'throttled' : 'failed';
};

/** Full jitter up to 20, 40, 80, 160, 200, 200, … ms. */
export const pauseAfter = async (attempt: number, random: () => number = Math.random): Promise<void> => {
  await sleep(random() * Math.min(longestPauseMs, firstPauseMs * 2 ** attempt));
};

/** Transient errors: names of errors, and codes of cancellation reasons. */
const passingName =
  /^(Throttling|Throttled|ProvisionedThroughputExceeded|RequestLimitExceeded|RequestThrottled|TooManyRequests|TransactionConflict|TransactionInProgress|ReplicatedWriteConflict|InternalServer|ServiceUnavailable|RequestTimeout|TimeoutError$)/;

/** Whether the code of a cancellation reason is transient. */
export const isPassingCode = (code: string): boolean => passingName.test(code);

const networkCode =
  /^(ECONNRESET|ECONNREFUSED|ECONNABORTED|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;

/** The parts of an AWS error. The status is set when there was an answer. */
const described = z.object({
  code: z.string().catch(''),
  $metadata: z.object({ httpStatusCode: z.number().optional() }).catch({}),
  CancellationReasons: z.array(z.object({ Code: z.string().catch('') })).catch([]),
});

const isPassing = (thrown: unknown): boolean => {
  if (!(thrown instanceof Error)) return false;
  const { code, $metadata, CancellationReasons } = described.parse(thrown);
  const { httpStatusCode: status = 0 } = $metadata;
  // Below 300 the answer was truncated after its headers.
  const isStatusPassing = status >= 500 || status === 429 || (status > 0 && status < 300);
  return (
    isStatusPassing ||
    passingName.test(thrown.name) ||
    networkCode.test(code) ||
    CancellationReasons.some((reason) => isPassingCode(reason.Code))
  );
};
