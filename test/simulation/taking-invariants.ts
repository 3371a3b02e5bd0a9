import { longestHoldMs } from '../../shared/checkout/session-status.ts';
import { minuteMs } from '../../shared/kit/time-units.ts';
import type { Invariant, Judged } from './invariants.ts';
import { type Kind, livesIn, type Span } from './lives.ts';

const sessions: Kind = { entity: 'checkout-session', idOf: ({ session }) => String(session) };
const payments: Kind = { entity: 'payment', idOf: ({ payment }) => String(payment) };

/** Of the wait for a payment after the end of its session: what is paid by then is asked about at least three times more. */
const paidInTimeMs = 24 * minuteMs;
/** An answer that a gateway gave before may be written so much later. */
const answerMs = 30_000;
/** Of a payment: what is paid by then is asked about before a quarter of an hour is over. */
const askedOftenMs = 10 * minuteMs;
/** From the check of five minutes to that of fifteen, whose job may be late by two. */
const longestUnseenMs = 12.5 * minuteMs;

interface Taking {
  readonly payment: string;
  readonly atMs: number;
  readonly createdMs: number;
  readonly mark: string | undefined;
  readonly sessionAt: (ms: number) => Span['item'] | undefined;
}

/** The money that gateways took which report what was asked, from merchants who keep their passwords, and which were not out of order for hours then. */
const takingsIn = ({ world, facts, checkout, shopkeepers, days }: Judged): readonly Taking[] => {
  if (!checkout || checkout.gateways.misreports || shopkeepers) return [];
  const { fromMs: outMs = Number.POSITIVE_INFINITY, toMs: wellMs = 0 } = days?.lateMoney?.outage ?? {};
  return facts
    .flatMap((account) => account.sessions)
    .flatMap(({ session, payments: own }) => {
      const spans = livesIn(world, sessions).get(session.id) ?? [];
      const sessionAt = (ms: number) => spans.find(({ fromMs, toMs }) => fromMs <= ms && ms < toMs)?.item;
      return own.flatMap(({ id: payment, createdMs, mark }) => {
        const atMs = checkout.gateways.takenMs(payment);
        const isHidden = atMs !== undefined && atMs < wellMs && outMs < session.expiresMs + longestHoldMs;
        return atMs === undefined || isHidden ? [] : [{ payment, atMs, createdMs, mark, sessionAt }];
      });
    });
};

/** Whether the session waits for the payment when the money comes, and not only until an answer from before is written. */
const isAwaited = ({ payment, atMs, sessionAt }: Taking): boolean =>
  [atMs, atMs + answerMs].every((ms) => {
    const { status, livePaymentId } = sessionAt(ms) ?? {};
    return status === 'OPEN' && livePaymentId === payment;
  });

export const takingInvariants: readonly Invariant[] = [
  {
    name: 'money that comes while its session waits for it completes the session',
    violations: (judged) =>
      takingsIn(judged)
        .filter((taking) => taking.mark !== undefined && isAwaited(taking))
        .map(({ payment, atMs, sessionAt }) => ({ payment, lateMs: atMs - Number(sessionAt(atMs)?.['expiresMs']) }))
        .filter(({ lateMs }) => lateMs < paidInTimeMs)
        .map(({ payment, lateMs }) => `payment ${payment} was paid ${lateMs} ms after the end, and counts as too late`),
  },
  {
    name: 'money whose callback is lost is found within minutes where nothing fails',
    violations: (judged) =>
      takingsIn(judged)
        .filter(({ atMs, createdMs }) => judged.world.machine.faultsMet.length === 0 && atMs < createdMs + askedOftenMs)
        .map(({ payment, atMs }) => {
          const spans = livesIn(judged.world, payments).get(payment) ?? [];
          const found = spans.find(({ item }) => item['status'] === 'SUCCEEDED');
          return { payment, unseenMs: (found?.fromMs ?? Number.POSITIVE_INFINITY) - atMs };
        })
        .filter(({ unseenMs }) => unseenMs > longestUnseenMs)
        .map(({ payment, unseenMs }) => `payment ${payment} succeeded ${unseenMs} ms after it was paid`),
  },
];
