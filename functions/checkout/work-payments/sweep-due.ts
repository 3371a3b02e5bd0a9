import type { Queue } from '../../../shared/aws/queue.ts';
import {
  type DuePlace,
  type DueSession,
  isWaitingCheckDue,
  leadMsOf,
  nextSweepMs,
} from '../../../shared/checkout/due.ts';
import type { PaymentJob, PaymentJobOf } from '../../../shared/checkout/payment-job.ts';
import { endsMs } from '../../../shared/checkout/session-status.ts';
import { isSimulated } from '../../../shared/checkout/simulation.ts';
import { timeOfId } from '../../../shared/kit/id.ts';
import { minuteMs } from '../../../shared/kit/time-units.ts';
import type { DueRow, DueStore } from '../../../shared/table/checkout/due-store.ts';
import type { SessionStore } from '../../../shared/table/checkout/session-store.ts';

export interface SweepDueNeeds {
  readonly due: DueStore;
  readonly sessions: Pick<SessionStore, 'expire'>;
  readonly paymentsQueue: Queue<PaymentJob>;
  /** How long a session lives whose creator does not say so. */
  readonly lifetimeSeconds: number;
}

/** How long a place where a row was due may seem to be empty and not be. */
const doubtMs = 5 * minuteMs;

/**
 * Does what is due, each minute: expires sessions, and queues the later checks of payments and refunds. It reads only what is due. What a sweep
 * missed, the next one finds. An idle stage pays for looks into empty places, so a process remembers until when nothing is due in one.
 */
export const sweepDue = ({ due, sessions, paymentsQueue, lifetimeSeconds }: SweepDueNeeds) => {
  const quietUntilMs = new Map<DuePlace, number>();
  const doubtedUntilMs = new Map<DuePlace, number>();

  /** Before its next time is set, its jobs are queued: a sweep that stops in between repeats them, and loses none. */
  const goOn = async (row: DueRow, nowMs: number): Promise<void> => {
    const isToExpire = row.entity === 'session' && row.livePaymentId === undefined;
    if (isToExpire && (await sessions.expire({ id: row.session }, nowMs))) return;
    await due.postpone(row, nextSweepMs(row, nowMs));
  };

  const sweep = async (place: DuePlace, nowMs: number): Promise<void> => {
    const { rows, isMore } = await due.page(place, nowMs);
    await paymentsQueue.send(rows.flatMap((row) => jobsOf(row, nowMs)));
    await Promise.all(rows.map((row) => goOn(row, nowMs)));
    if (isMore) await paymentsQueue.send([{ kind: 'sweep', place }]);
  };

  /** While another sweep postpones a row, the index may show it at neither time. So an empty place is looked into again if a row was due lately. */
  const lookInto = async (place: DuePlace, nowMs: number): Promise<void> => {
    if (nowMs < (quietUntilMs.get(place) ?? 0)) return;
    const untilMs = nowMs + leadMsOf(place.entity, lifetimeSeconds);
    const firstMs = await due.firstMs(place, untilMs);
    if (firstMs !== undefined) doubtedUntilMs.set(place, Math.max(firstMs, nowMs) + doubtMs);
    else if (nowMs < (doubtedUntilMs.get(place) ?? 0)) return;
    const nextMs = firstMs ?? untilMs;
    if (nextMs > nowMs) quietUntilMs.set(place, nextMs);
    else await sweep(place, nowMs);
  };

  return async ({ place }: PaymentJobOf<'sweep'>, nowMs: number): Promise<void> => {
    await (place ? sweep(place, nowMs) : Promise.all(due.places.map((each) => lookInto(each, nowMs))));
  };
};

/** A session without a payment in progress needs no job. One with a payment waits for it, and expires after that. */
const jobsOfSession = (row: DueRow & DueSession, nowMs: number): PaymentJob[] => {
  const { account, session, livePaymentId: payment } = row;
  if (payment === undefined || !row.isOpen) return [];
  if (nowMs >= endsMs(row)) return [{ kind: 'expire', account, session }];
  const isToAsk = isWaitingCheckDue(row, { dueMs: timeOfId(row.dueId), nowMs });
  return isToAsk ? [{ kind: 'resolve', account, session, payment }] : [];
};

/** A payment without a gateway opening may have lost that job. */
const jobsOf = (row: DueRow, nowMs: number): PaymentJob[] => {
  const { account, session } = row;
  if (row.entity === 'refund') return [{ kind: 'refund', account, session, refund: row.refund }];
  if (row.entity === 'session') return jobsOfSession(row, nowMs);
  const { payment } = row;
  const isUnopened = row.isPending && !row.isOpened && !isSimulated(row);
  return [
    { kind: 'resolve', account, session, payment },
    ...(isUnopened ? [{ kind: 'open', account, session, payment, attempt: 1 } as const] : []),
  ];
};
