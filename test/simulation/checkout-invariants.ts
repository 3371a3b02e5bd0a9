import type { Payment } from '../../shared/checkout/payment.ts';
import type { Refund } from '../../shared/checkout/refund.ts';
import { isSimulated, testAmounts } from '../../shared/checkout/simulation.ts';
import type { Checkout } from './checkout.ts';
import type { Answer } from './client.ts';
import type { AccountFacts } from './facts.ts';
import type { Gateways } from './gateways.ts';
import type { Invariant, Judged } from './invariants.ts';

type SessionFact = AccountFacts['sessions'][number];

const sum = (amounts: readonly { readonly amountMinor: number }[]): number =>
  amounts.reduce((total, { amountMinor }) => total + amountMinor, 0);

/** For each session, what it breaks. */
const ofSessions =
  (what: (fact: SessionFact, judged: Judged) => string | false) =>
  (judged: Judged): readonly string[] =>
    judged.facts
      .flatMap(({ sessions }) => sessions)
      .flatMap((fact) => {
        const broken = what(fact, judged);
        const { id, status } = fact.session;
        const shown = fact.payments.map((one) => `${one.gatewayCode} ${one.status} ${one.mark ?? ''}`).join();
        return broken === false ? [] : [`session ${id} (${status}: ${shown}): ${broken}`];
      });

/** For each payment, what it breaks. */
const ofPayments = (
  what: (payment: Payment, refunds: readonly Refund[], gateways: Gateways, checkout: Checkout) => string | false,
): Invariant['violations'] =>
  ofSessions(
    ({ payments, refunds }, { checkout }) =>
      checkout !== undefined &&
      (payments
        .map((payment) => {
          const own = refunds.filter(({ paymentId }) => paymentId === payment.id);
          return what(payment, own, checkout.gateways, checkout);
        })
        .find((broken) => broken !== false) ??
        false),
  );

const takenMinor = ({ id }: Payment, gateways: Gateways): number =>
  sum(gateways.taken(id).map((amountMinor) => ({ amountMinor })));

/** What came in for a payment: what was asked, unless a review has found other money. */
const cameInMinor = (payment: Payment, gateways: Gateways): number => {
  if (payment.status !== 'SUCCEEDED') return 0;
  if (payment.review?.decision !== 'refund') return payment.amountMinor;
  return isSimulated(payment) ? (payment.lastAnswer?.reported?.amountMinor ?? 0) : takenMinor(payment, gateways);
};

const isCompleting = ({ status, mark }: Payment): boolean => status === 'SUCCEEDED' && mark !== 'surplus';

const ranks: Readonly<Record<string, number>> = { PENDING: 0, FAILED: 1, EXPIRED: 1, SUCCEEDED: 2 };
/** What each kind of row may become, from what it was. */
const moves: Readonly<Record<string, (before: string, after: string) => boolean>> = {
  'checkout-session': (before, after) => before === 'OPEN' || (before === 'EXPIRED' && after === 'COMPLETED'),
  payment: (before, after) => (ranks[after] ?? 0) > (ranks[before] ?? 0),
  refund: (before) => before === 'PENDING',
};

const acceptedIds = (answers: readonly Answer[]): ReadonlySet<string> =>
  new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.data.id));

/** The alarm of it. */
const paidTwice = 'a payment was paid more than once';

/** Where all calls reach their gateways in time: after the last check, a person is told. */
export const foundAtOnce = 'a payment has succeeded where its gateway has taken the money, and nowhere else';

export const checkoutInvariants: readonly Invariant[] = [
  {
    name: 'an order is one session, and every 201 has its row',
    violations: ({ facts, checkout }) =>
      (checkout?.orders ?? []).flatMap(({ id, answers, copies }) => {
        const rows = facts
          .flatMap(({ sessions }) => sessions)
          .filter(({ session }) => JSON.parse(session.metadata.text)['order'] === id);
        const accepted = [...acceptedIds(answers)];
        const isWhole =
          rows.length <= 1 && answers.length === copies && accepted.every((one) => rows[0]?.session.id === one);
        return isWhole
          ? []
          : [`${id}: ${rows.length} sessions, ${accepted.length} accepted, ${answers.length} answers`];
      }),
  },
  {
    name: 'every payment that a payer was told of has its row',
    violations: ({ facts, checkout }) => {
      const known = new Set(
        facts.flatMap(({ sessions }) => sessions.flatMap(({ payments }) => payments)).map(({ id }) => id),
      );
      return (checkout?.orders ?? []).flatMap(({ id, payments }) =>
        payments.filter((one) => !known.has(one)).map((one) => `${id}: no payment ${one}`),
      );
    },
  },
  {
    name: 'every session, payment and refund reaches its end, or a person is told',
    violations: ofSessions(({ session, payments, refunds }, { world: { alarms } }) => {
      if (session.status === 'OPEN') return 'it is open';
      if (payments.some(({ status }) => status === 'PENDING')) return 'a payment is pending';
      const pending = refunds.filter(({ status }) => status === 'PENDING');
      // Of a refund whose answer was lost, SSLCommerz says only that it has had it.
      return (
        pending.some(({ id }) => !alarms.some((line) => line.includes(id))) && 'a refund is pending, and nobody knows'
      );
    }),
  },
  {
    name: 'a session is paid once at most, and says so',
    violations: ofSessions(({ session, payments }) => {
      const count = payments.filter(isCompleting).length;
      const isPaid = session.status === 'COMPLETED' && session.paymentStatus === 'SUCCEEDED';
      if (count !== (isPaid ? 1 : 0)) return `${count} payments complete it`;
      return (session.paymentStatus === 'SUCCEEDED') !== isPaid && `its payment is ${session.paymentStatus}`;
    }),
  },
  {
    name: 'a session has one payment under way at a time, and ten at most',
    violations: (judged) => {
      const live = new Map<string, Set<string>>();
      const crowded = judged.world.changes.flatMap(({ after }) => {
        if (after?.['entity'] !== 'payment') return [];
        const session = String(after['session']);
        const pending = live.get(session) ?? new Set();
        live.set(session, pending);
        if (after['status'] === 'PENDING') pending.add(String(after['payment']));
        else pending.delete(String(after['payment']));
        return pending.size > 1 ? [`session ${session} has ${pending.size} payments under way`] : [];
      });
      const miscounted = ofSessions(
        ({ session: { paymentCount }, payments }) =>
          (paymentCount !== payments.length || paymentCount > 10) &&
          `${paymentCount} counted, ${payments.length} there`,
      )(judged);
      return [...crowded, ...miscounted];
    },
  },
  {
    name: 'what lies beside a session is deleted with it, and no sooner',
    violations: ({ world }) => {
      const items = world.table.all();
      const rows = new Map(items.filter(({ SK }) => SK === 'SESSION').map((row) => [row['PK'], row]));
      return items.flatMap(({ entity, PK, expiresAt }) =>
        entity === 'checkout-session-body' && (!rows.has(PK) || rows.get(PK)?.['expiresAt'] !== expiresAt)
          ? [`${PK}: ${expiresAt}, not ${rows.get(PK)?.['expiresAt']}`]
          : [],
      );
    },
  },
  {
    name: 'statuses of sessions, payments and refunds only move on',
    violations: ({ world }) =>
      world.changes.flatMap(({ before, after, sequence }) => {
        const mayMove = moves[String(after?.['entity'])];
        if (!mayMove || !before || before['status'] === after?.['status']) return [];
        const [was, is] = [String(before['status']), String(after?.['status'])];
        return mayMove(was, is) ? [] : [`change ${sequence}: ${after?.['entity']} from ${was} to ${is}`];
      }),
  },
  {
    name: foundAtOnce,
    violations: ofPayments((payment, _, gateways, { payers }) => {
      if (isSimulated(payment))
        return (
          payment.amountMinor === testAmounts.declined &&
          payment.chaos === undefined &&
          payment.status === 'SUCCEEDED' &&
          'it was declined'
        );
      const taken = gateways.taken(payment.id);
      const most = payers.seconds.some((one) => one.payment === payment.id) ? 2 : 1;
      if (taken.length > most) return `its money was taken ${taken.length} times`;
      return taken.length > 0 !== (payment.status === 'SUCCEEDED') && `${taken.length} were taken`;
    }),
  },
  {
    name: 'an order that is paid twice alarms a person, and no other does',
    violations: ({ checkout, world: { alarms } }) => {
      const told = alarms.filter((line) => line.includes(paidTwice));
      const isToldOf = (payment: string) => told.some((line) => line.includes(payment));
      const seconds = checkout?.payers.seconds ?? [];
      const unheard = seconds.filter(({ payment, isHeard }) => isHeard && !isToldOf(payment));
      const others = told.filter((line) => !seconds.some(({ payment }) => line.includes(payment)));
      return [...unheard.map(({ payment }) => `nobody knows that ${payment} was paid twice`), ...others];
    },
  },
  {
    name: 'money goes back as often as refunds succeed',
    violations: ofPayments((payment, refunds, gateways) => {
      if (isSimulated(payment)) return false;
      const back = gateways.givenBackMinor(payment.id);
      const [said, pending] = ['SUCCEEDED', 'PENDING'].map((which) =>
        sum(refunds.filter(({ status }) => status === which)),
      );
      const isSaid = back >= (said ?? 0) && back <= (said ?? 0) + (pending ?? 0);
      return !isSaid && `${back} went back, and refunds say ${said}`;
    }),
  },
  {
    name: 'no more money goes back than came in',
    violations: ofPayments((payment, _, gateways) => {
      const [back, came] = [gateways.givenBackMinor(payment.id), takenMinor(payment, gateways)];
      return back > came && `${back} went back of ${came}`;
    }),
  },
  {
    name: 'money in is what completed the session and what was refunded',
    violations: ofPayments((payment, refunds, gateways) => {
      const left = payment.refundableMinor + sum(refunds.filter(({ status }) => status !== 'FAILED'));
      const whole = cameInMinor(payment, gateways);
      if (left !== whole) return `${payment.refundableMinor} are left of ${whole}`;
      const automatic = refunds.filter(({ isAutomatic }) => isAutomatic).length;
      return automatic !== (payment.mark === 'surplus' ? 1 : 0) && `${automatic} refunds were automatic`;
    }),
  },
  {
    name: 'one refund per idempotency key, and every 201 has its row',
    violations: ({ facts, checkout }) => {
      const refunds = facts.flatMap(({ sessions }) => sessions.flatMap((each) => each.refunds));
      const asked = (checkout?.orders ?? []).flatMap((order) => order.refunds);
      const unknown = asked.flatMap(({ idempotencyKey, answers }) => {
        const ids = [...acceptedIds(answers)];
        return ids.length > 1 || !ids.every((id) => refunds.some((one) => one.id === id))
          ? [`${idempotencyKey}: ${ids.length} refunds`]
          : [];
      });
      const wanted = refunds.filter(({ isAutomatic }) => !isAutomatic).length;
      return wanted > asked.length ? [...unknown, `${wanted} refunds of ${asked.length} that were asked for`] : unknown;
    },
  },
];
