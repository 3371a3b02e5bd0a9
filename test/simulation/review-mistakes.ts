import type { Mistake } from './mistake.ts';

const alarms = 'every payment that is held alarms a person';
const settledOnce = 'a held payment is settled once, by the decision of one of its reviews';
const answered = 'the answer of a review says what it did';
const decided = 'a review does with the money what it decides';
const refundSettled = 'a refund that its gateway leaves open is settled by a person, once';
const ownRefunds = 'a person and a server with the same key get refunds of their own';
const ends = 'every session, payment and refund reaches its end, or a person is told';
const onwards = 'statuses of sessions, payments and refunds only move on';
const taken = 'a payment has succeeded where its gateway has taken the money, and nowhere else';
const givenBack = 'money goes back as often as refunds succeed';
const noMore = 'no more money goes back than came in';
const balance = 'money in is what completed the session and what was refunded';

/** Mistakes with reviews and refunds that the simulation must find. */
export const reviewMistakes: readonly Mistake[] = [
  {
    name: 'a payment is held before its alarm',
    file: 'shared/checkout/resolve.ts',
    find: `report(found, settlement);
    if (await payments.saveSettlement(found, settlement)) return settled(found, settlement);`,
    replace: `if (await payments.saveSettlement(found, settlement)) {
      report(found, settlement);
      return settled(found, settlement);
    }`,
    breaks: [alarms, ends, taken],
  },
  {
    name: 'a review that comes second overwrites the first',
    file: 'shared/table/checkout/settlement-writes.ts',
    find: `#status = :before AND \${before.mark ? '#mark = :markBefore' : 'attribute_not_exists(#mark)'} AND`,
    replace: `(#status = :before OR \${before.mark ? 'attribute_exists(PK)' : '#status = :before'}) AND (\${before.mark ? '#mark = :markBefore OR attribute_exists(PK)' : 'attribute_not_exists(#mark)'}) AND`,
    breaks: [noMore, balance, settledOnce, onwards, decided],
  },
  {
    name: 'the answer of a review shows the payment as it was',
    file: 'functions/admin/review-payment/handler.ts',
    find: '{ ...payment, ...review.payment }',
    replace: '{ ...review.payment, ...payment }',
    breaks: [answered],
  },
  {
    name: 'a review accepts late money for every account',
    file: 'functions/admin/review-payment/handler.ts',
    find: '?.checkout.acceptsLatePayments ?? false',
    replace: '?.checkout.acceptsLatePayments !== undefined',
    breaks: [decided],
  },
  {
    name: 'a review gives back what was asked',
    file: 'shared/checkout/settle-review.ts',
    find: '(review?.amountMinor ?? (isOther ? undefined : reported?.amountMinor)) || amountMinor',
    replace: 'amountMinor',
    breaks: [balance, decided, givenBack],
  },
  {
    name: 'a payment that a review has rejected is not looked for',
    file: 'shared/table/checkout/settlement-writes.ts',
    find: "if (before.mark !== 'held' || !isWorthAsking",
    replace: "if (before.mark === 'held' || !isWorthAsking",
    breaks: [taken],
  },
  {
    name: 'of two words on a refund, both say that they count',
    file: 'functions/admin/review-refund/handler.ts',
    find: 'if (!(await refunds.saveAnswer(found, change))) return',
    replace: "if (!(await refunds.saveAnswer(found, change)) && refund.status !== 'PENDING') return",
    breaks: [refundSettled],
  },
  {
    name: 'a person can get the refund of a server',
    file: 'shared/people/idempotency-key.ts',
    find: `\`\${whose}\\n\${key}\``,
    replace: 'key',
    breaks: [ownRefunds],
  },
];
