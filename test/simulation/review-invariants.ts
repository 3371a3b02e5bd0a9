import type { Payment } from '../../shared/checkout/payment.ts';
import type { Refund } from '../../shared/checkout/refund.ts';
import type { CheckoutSession } from '../../shared/checkout/session.ts';
import { longestHoldMs } from '../../shared/checkout/session-status.ts';
import { isSimulated } from '../../shared/checkout/simulation.ts';
import type { Invariant, Judged } from './invariants.ts';
import type { Review } from './reviewers.ts';
import type { Fields } from './table/value.ts';

/** One change of the row of a payment. */
interface Move {
  readonly before: Fields;
  readonly after: Fields;
  readonly sequence: number;
}

/** A payment that was held at some time. */
interface Held {
  readonly payment: Payment;
  readonly session: CheckoutSession;
  readonly automatic: readonly Refund[];
  readonly reviews: readonly Review[];
  readonly holds: readonly Move[];
  readonly releases: readonly Move[];
}

const movesOf = ({ id }: Payment, { world }: Judged): readonly Move[] =>
  world.changes.flatMap(({ before, after, sequence }) =>
    before && after?.['entity'] === 'payment' && after['payment'] === id ? [{ before, after, sequence }] : [],
  );

const isHeld = (row: Fields): boolean => row['mark'] === 'held';

const heldIn = (judged: Judged): readonly Held[] =>
  judged.facts
    .flatMap(({ sessions }) => sessions)
    .flatMap(({ session, payments, refunds }) =>
      payments.map((payment) => {
        const moves = movesOf(payment, judged);
        return {
          payment,
          session,
          automatic: refunds.filter(({ paymentId, isAutomatic }) => isAutomatic && paymentId === payment.id),
          reviews: (judged.reviewers?.reviews ?? []).filter((one) => one.payment === payment.id),
          holds: moves.filter(({ before, after }) => !isHeld(before) && isHeld(after)),
          releases: moves.filter(({ before, after }) => isHeld(before) && !isHeld(after)),
        };
      }),
    )
    .filter(({ holds }) => holds.length > 0);

const ofHeld =
  (what: (held: Held, judged: Judged) => string | false) =>
  (judged: Judged): readonly string[] =>
    (judged.reviewers ? heldIn(judged) : []).flatMap((held) => {
      const broken = what(held, judged);
      const { id, gatewayCode, status, mark, review } = held.payment;
      return broken === false
        ? []
        : [`payment ${id} (${gatewayCode} ${status} ${mark} ${review?.decision}): ${broken}`];
    });

const answersOf = ({ tries }: Review, status: number) => tries.filter(({ answer }) => answer.status === status);
const isUnclear = ({ tries }: Review): boolean => tries.some(({ answer }) => answer.status >= 500);

/** The session of a payment as it was at a change of it. */
const sessionBefore = ({ sequence }: Move, { id }: CheckoutSession, { world }: Judged): Fields =>
  world.changes.findLast(
    ({ after, sequence: its }) => its < sequence && after?.['entity'] === 'checkout-session' && after['session'] === id,
  )?.after ?? {};

/** What becomes of accepted money: it completes its open session, or an expired one where the account wants that. A review that cannot is refused. */
const markOfAccepted = (release: Move, { payment, session }: Held, judged: Judged): Payment['mark'] | 'refused' => {
  const { status, livePaymentId, expiresMs } = sessionBefore(release, session, judged);
  const { status: was } = release.before;
  const endMs = Number(expiresMs) + (livePaymentId === undefined ? 0 : longestHoldMs);
  if (was === 'FAILED' || status === 'COMPLETED') return 'refused';
  const isOpen = status === 'OPEN' && Date.parse(payment.review?.at ?? '') < endMs;
  if (isOpen) return livePaymentId === undefined || livePaymentId === payment.id ? undefined : 'refused';
  const account = judged.messaging.accounts.find(({ ref }) => ref.id === payment.accountId);
  return account?.acceptsLatePayments === true ? 'late' : 'refused';
};

/** What the gateway reported of a payment, as its books have it. */
const reportedMinor = (payment: Payment, { checkout }: Judged): number | undefined =>
  isSimulated(payment)
    ? payment.lastAnswer?.reported?.amountMinor
    : checkout?.gateways.taken(payment.id).reduce((sum, amount) => sum + amount, 0);

const expectedOf = (release: Move, held: Held, judged: Judged) => {
  const { payment } = held;
  if (payment.review?.decision === 'refund')
    return { status: 'SUCCEEDED', mark: 'surplus', backMinor: reportedMinor(payment, judged) };
  if (payment.review?.decision === 'accept') {
    return { status: 'SUCCEEDED', mark: markOfAccepted(release, held, judged), backMinor: undefined };
  }
  const { status } = release.before;
  return { status: status === 'PENDING' ? 'FAILED' : status, mark: undefined, backMinor: undefined };
};

export const reviewInvariants: readonly Invariant[] = [
  {
    name: 'every payment that is held alarms a person',
    violations: ofHeld(({ payment }, { world: { alarms } }) => {
      const isHeard = alarms.some((line) => line.includes('held for review') && line.includes(payment.id));
      return !isHeard && 'no alarm names it';
    }),
  },
  {
    name: 'a held payment is settled once, by the decision of one of its reviews',
    violations: ofHeld(({ payment, reviews, holds, releases }) => {
      if (releases.length !== holds.length) return `held ${holds.length} times, and settled ${releases.length} times`;
      const done = reviews.filter((one) => answersOf(one, 200).length > 0);
      const mostDone = done.length + reviews.filter(isUnclear).length;
      if (done.length > releases.length || mostDone < releases.length)
        return `${done.length} reviews say that they did it`;
      const may = releases.length > 1 || done.length === 0 ? reviews : done;
      return !may.some(({ decision }) => decision === payment.review?.decision) && 'nobody decided that';
    }),
  },
  {
    name: 'the answer of a review says what it did',
    violations: ofHeld(({ reviews, releases }) => {
      const wrong = reviews.flatMap((review) =>
        answersOf(review, 200).filter(({ answer: { body } }) => {
          const { status, mark, refundableMinor, review: said } = body.data;
          const isDone = releases.some(
            ({ after }) =>
              after['status'] === status &&
              (after['mark'] ?? null) === mark &&
              after['refundableMinor'] === refundableMinor,
          );
          return said?.decision !== review.decision || !isDone;
        }),
      );
      return wrong.length > 0 && wrong.map(({ answer }) => JSON.stringify(answer.body.data)).join();
    }),
  },
  {
    name: 'a review does with the money what it decides',
    violations: ofHeld((held, judged) => {
      const release = held.releases.at(-1);
      if (!release) return false;
      const { status, mark, backMinor } = expectedOf(release, held, judged);
      const { after } = release;
      if (after['status'] !== status || after['mark'] !== mark)
        return `it became ${after['status']} ${after['mark']}, and should be ${status} ${mark}`;
      // Of a rejected one, the right money may have come and gone since.
      if (status !== 'SUCCEEDED') return false;
      const back = held.automatic.map(({ amountMinor, currency }) => `${amountMinor} ${currency}`).join();
      const expected = backMinor === undefined ? '' : `${backMinor} ${held.payment.currency}`;
      return back !== expected && `refunds of ${back} were made, and ${expected} is right`;
    }),
  },
  {
    name: 'a refund that its gateway leaves open is settled by a person, once',
    violations: (judged) => {
      const refunds = judged.facts.flatMap(({ sessions }) => sessions.flatMap((each) => each.refunds));
      const settlings = judged.reviewers?.settlings ?? [];
      return [...Map.groupBy(settlings, ({ refund }) => refund)].flatMap(([id, own]) => {
        const done = own.flatMap(({ tries }) => tries).filter(({ answer }) => answer.status === 200);
        const status = refunds.find((one) => one.id === id)?.status;
        const isRight = status !== 'PENDING' && done.length <= 1 && done.every((one) => one.status === status);
        return isRight ? [] : [`refund ${id} is ${status}, and ${done.length} settled it`];
      });
    },
  },
  {
    name: 'a person and a server with the same key get refunds of their own',
    violations: ({ checkout }) => {
      const asked = (checkout?.orders ?? []).flatMap(({ refunds }) => refunds);
      const ids = asked.flatMap(({ by, answers }) =>
        answers.flatMap(({ status, body }) => (status === 201 ? [{ by, id: String(body.data.id) }] : [])),
      );
      const byServers = new Set(ids.filter(({ by }) => by === 'merchant').map(({ id }) => id));
      return ids.flatMap(({ by, id }) => (by === 'operator' && byServers.has(id) ? [`both have refund ${id}`] : []));
    },
  },
];
