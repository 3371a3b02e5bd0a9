import { isDeepStrictEqual } from 'node:util';
import type { Invariant, Judged } from './invariants.ts';
import type { Look, Reading } from './watchers.ts';

const ofReadings =
  (what: (reading: Reading, judged: Judged) => string | false) =>
  (judged: Judged): readonly string[] =>
    (judged.watchers?.readings ?? []).flatMap((reading) => {
      const broken = what(reading, judged);
      return broken === false ? [] : [`${reading.order.id} (${reading.session?.id}): ${broken}`];
    });

/** Whether one reader says of everything that both show the same as the other. */
const agrees = (one: object, other: object): boolean =>
  Object.entries(one).every(([name, said]) => !(name in other) || isDeepStrictEqual(said, Reflect.get(other, name)));

/** Whether a session may be read so after it was read as the other. */
const mayFollow = (before: Look, after: Look, acceptsLatePayments: boolean): boolean => {
  if (before.status === 'OPEN' || before.status === after.status) return true;
  return before.status === 'EXPIRED' && after.status === 'COMPLETED' && acceptsLatePayments;
};

export const watcherInvariants: readonly Invariant[] = [
  {
    name: 'all readers say the same of a session, its payments and refunds',
    violations: ofReadings(({ session, others, payments, refunds, resultStatus }, { facts }) => {
      const fact = facts.flatMap(({ sessions }) => sessions).find((each) => each.session.id === session?.id);
      if (!fact || session.status !== fact.session.status) return `${session?.status} is read`;
      if (!others.every((each) => each && agrees(each, session))) return `others read ${JSON.stringify(others)}`;
      const listed = payments.map((each) => each.listed).toReversed();
      if (!isDeepStrictEqual(listed, session.payments)) return `its payments are listed as ${JSON.stringify(listed)}`;
      const isAlike = [...payments, ...refunds].every((each) => isDeepStrictEqual(each.listed, each.alone));
      if (!isAlike || refunds.length !== fact.refunds.length) return 'a payment or refund is read otherwise in a list';
      return (resultStatus === 200) !== (session.status === 'COMPLETED') && `its result is ${resultStatus}`;
    }),
  },
  {
    name: 'what is read of a payment as refunded is the sum of its refunds',
    violations: ofReadings(({ payments }) => {
      const wrong = payments.flatMap(({ listed, refunds }) => {
        const open = refunds.filter(({ status }) => status !== 'FAILED');
        const sum = open.reduce((total, { amountMinor }) => total + amountMinor, 0);
        return sum === listed.refundedMinor ? [] : [`${listed.id}: ${listed.refundedMinor}, and refunds of ${sum}`];
      });
      return wrong.length > 0 && wrong.join();
    }),
  },
  {
    name: 'a session that is read as over does not come back',
    violations: ({ watchers, facts, messaging }) =>
      (watchers?.looks ?? []).flatMap((after, _, looks) => {
        const owner = facts.find(({ sessions }) => sessions.some(({ session }) => session.id === after.session));
        const account = messaging.accounts.find(({ ref }) => ref.id === owner?.account.ref.id);
        return looks
          .filter((before) => before.session === after.session && before.toMs < after.fromMs)
          .filter((before) => !mayFollow(before, after, account?.acceptsLatePayments ?? false))
          .map((before) => `${after.session} was ${before.status}, then ${after.status}`);
      }),
  },
  {
    name: 'a form that is sent more than once begins one payment',
    violations: ({ watchers, facts }) =>
      (watchers?.pageOrders ?? []).flatMap(({ order, forms }) => {
        const id = order.answers.find(({ status }) => status === 201)?.body.data.id;
        const fact = facts.flatMap(({ sessions }) => sessions).find(({ session }) => session.id === id);
        const count = fact?.payments.length ?? 0;
        return count > forms ? [`${order.id}: ${count} payments of ${forms} forms`] : [];
      }),
  },
];
