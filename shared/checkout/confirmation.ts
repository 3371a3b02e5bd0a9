import { minuteMs } from '../kit/time-units.ts';
import type { Payment } from './payment.ts';

/** Seconds before each further attempt to confirm a payment where the one before confirmed nothing. */
export const attemptWaits = [5, 15, 45, 120, 300, 900] as const;

/**
 * The seconds before each repetition of a confirmation that its gateway does not know of. A call that was lost is made again at once. One that is
 * refused each time for a reason that leaves its outcome open leaves the payer free to choose another way in between, and at last for good.
 */
export const repetitionWaits: readonly number[] = [0, 60, 300];

/** Longer than all attempts for one return take. */
const attemptsMs = 27 * minuteMs;

/** Whether the attempts for an earlier or a later return are those for this one too: they go on after it. */
export const isCoveredReturn = ({ returnedMs }: Pick<Payment, 'returnedMs'>, atMs: number): boolean =>
  returnedMs !== undefined && atMs < returnedMs + attemptWaits[0] * 1_000;

/** Whether the payer has returned, and all attempts to confirm have ended without one, because the gateway could not be reached. */
export const isLeftUnconfirmed = (
  { returnedMs, confirmationClaim, lostConfirmations }: Payment,
  nowMs: number,
): boolean =>
  returnedMs !== undefined &&
  nowMs >= returnedMs + attemptsMs &&
  !confirmationClaim &&
  lostConfirmations <= repetitionWaits.length;
