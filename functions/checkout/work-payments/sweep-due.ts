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
/** How long one may that this process knows nothing of: its next sweep, which comes about a minute later, looks again. */
const firstDoubtMs = minuteMs / 2;
/** How late a look may come and still follow the one before. */
const mostLateMs = 2 * minuteMs;

/** What a process knows of a place since it looked into it. */
interface Look {
  /** It has seen what is due until then. */
  readonly untilMs: number;
  readonly quietUntilMs: number;
  readonly doubtedUntilMs: number;
}

/**
 * Does what is due, each minute: expires sessions, and queues the later checks of payments and refunds. It reads only what is due. What a sweep
 * missed, the next one finds. An idle stage pays for looks into empty places, so a process remembers until when nothing is due in one.
 */
export const sweepDue = ({ due, sessions, paymentsQueue, lifetimeSeconds }: SweepDueNeeds) => {
  const looks = new Map<DuePlace, Look>();

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

  /**
   * While another sweep postpones a row, the index may show it at neither time. A session that waits is due again so soon that it would be missed,
   * so a place of sessions is looked into by each sweep while such a row may be there.
   */
  const lookInto = async (place: DuePlace, nowMs: number): Promise<void> => {
    const last = looks.get(place);
    if (last && nowMs < last.quietUntilMs) return;
    const untilMs = nowMs + leadMsOf(place.entity, lifetimeSeconds);
    const firstMs = await due.firstMs(place, untilMs);
    const nextMs = firstMs ?? untilMs;
    const doubtedUntilMs = last && nowMs <= last.untilMs + mostLateMs ? last.doubtedUntilMs : nowMs + firstDoubtMs;
    const isDoubted = place.entity === 'session' && nowMs < doubtedUntilMs;
    looks.set(place, {
      untilMs,
      quietUntilMs: isDoubted ? nowMs : nextMs,
      doubtedUntilMs: firstMs === undefined ? doubtedUntilMs : Math.max(firstMs, nowMs) + doubtMs,
    });
    if (nextMs <= nowMs) await sweep(place, nowMs);
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
