import * as z from 'zod';
import { dayMs, minuteMs } from '../kit/time-units.ts';
import { nextLaterCheckMs } from './checks.ts';
import { sessionLifetimeSeconds } from './new-session.ts';
import { longestHoldMs } from './session-status.ts';

/** What waits for a time, in the index by that time: the end of a session, the next check of a payment or refund. */
export const dueEntities = ['session', 'payment', 'refund'] as const;
export type DueEntity = (typeof dueEntities)[number];

/** One of the index partitions of rows that wait. */
export const duePlace = z.object({ entity: z.enum(dueEntities), shard: z.int().min(0) });
export type DuePlace = z.output<typeof duePlace>;

export interface DueSession {
  readonly entity: 'session';
  readonly account: string;
  readonly session: string;
  readonly isOpen: boolean;
  readonly expiresMs: number;
  readonly livePaymentId: string | undefined;
}

export interface DuePayment {
  readonly entity: 'payment';
  readonly account: string;
  readonly session: string;
  readonly payment: string;
  readonly gatewayCode: string;
  readonly createdMs: number;
  readonly isPending: boolean;
  /** The gateway has returned its payment URL. */
  readonly isOpened: boolean;
}

export interface DueRefund {
  readonly entity: 'refund';
  readonly account: string;
  readonly session: string;
  readonly refund: string;
  readonly createdMs: number;
}

export type Due = DueSession | DuePayment | DueRefund;

/** When a new payment or refund is first found by the sweep. */
export const firstSweepMs = (entity: 'payment' | 'refund', createdMs: number): number =>
  nextLaterCheckMs(entity, createdMs, createdMs) ?? createdMs;

/**
 * How long before its time a row is written, at the least. A sweep that has looked into a place therefore knows of all that falls due there in
 * this time, except for what is made due at once: a session that its merchant ends while a payment may have succeeded, which is waited for anyway,
 * and a payment whose review was rejected, which the outbox has asked about.
 */
export const leadMsOf = (entity: DueEntity, lifetimeSeconds: number): number =>
  entity === 'session' ? Math.min(sessionLifetimeSeconds.least, lifetimeSeconds) * 1_000 : firstSweepMs(entity, 0);

/**
 * When the gateway is asked about a payment that its session waits for after its `expiresAt`, in minutes after that. Money that has arrived by the
 * last of them completes the session: when the wait is over, it is too late for that. The payer may be gone, and their notification lost.
 */
const waitingCheckMinutes = [0, 1, 5, 15, 25, 28, 29];

/** Before a waiting session is found again. Sweeps come a minute apart, but not to the second: after a full minute, the next one could miss it. */
const waitingMs = minuteMs / 2;

/** Whether a sweep that finds a waiting session is the first one after the time of such a check. It has found it last `waitingMs` before `dueMs`. */
export const isWaitingCheckDue = ({ expiresMs }: DueSession, { dueMs, nowMs }: { dueMs: number; nowMs: number }) =>
  waitingCheckMinutes
    .map((minutes) => expiresMs + minutes * minuteMs)
    .some((checkMs) => dueMs - waitingMs < checkMs && checkMs <= nowMs);

/** Before a sweep finds a session again whose end was not written in time. */
const leastRetryMs = 5 * minuteMs;

/**
 * When the sweep finds a row again: its job may have been lost. A session that waits for a payment is found by each minute's sweep, because the
 * payment may leave it open, with its time over, by a check that began before. One that is still open after that is found again ever more rarely,
 * daily in the end. After its last check, a payment or refund that is still PENDING is found daily, until a person has resolved it. Undefined: never.
 */
export const nextSweepMs = (due: Due, nowMs: number): number | undefined => {
  if (due.entity === 'session') {
    if (!due.isOpen) return undefined;
    const heldUntilMs = due.expiresMs + longestHoldMs;
    if (nowMs < heldUntilMs) return Math.min(heldUntilMs, nowMs + waitingMs);
    return nowMs + Math.min(dayMs, Math.max(leastRetryMs, nowMs - heldUntilMs));
  }
  const isOpen = due.entity === 'refund' || due.isPending;
  return nextLaterCheckMs(due.entity, due.createdMs, nowMs) ?? (isOpen ? nowMs + dayMs : undefined);
};
