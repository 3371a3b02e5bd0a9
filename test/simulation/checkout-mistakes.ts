import type { Mistake } from './mistake.ts';

const oneSession = 'an order is one session, and every 201 has its row';
const told = 'every payment that a payer was told of has its row';
const ends = 'every session, payment and refund reaches its end, or a person is told';
const paidOnce = 'a session is paid once at most, and says so';
const oneAtATime = 'a session has one payment under way at a time, and ten at most';
const oneOpening = 'opening the page of a session begins one payment at most, and a preview of it none';
const deletedTogether = 'what lies beside a session is deleted with it, and no sooner';
const onwards = 'statuses of sessions, payments and refunds only move on';
const taken = 'a payment has succeeded where its gateway has taken the money, and nowhere else';
const givenBack = 'money goes back as often as refunds succeed';
const balance = 'money in is what completed the session and what was refunded';
const oneRefund = 'one refund per idempotency key, and every 201 has its row';
const onceEach = 'every transition has its event, once';
const paidTwice = 'an order that is paid twice alarms a person, and no other does';
const abandoned = 'no work is given up or left hanging';

/** Mistakes with money that the simulation must find. */
export const checkoutMistakes: readonly Mistake[] = [
  {
    name: 'a session’s idempotency key is not kept',
    file: 'shared/table/checkout/session-store.ts',
    find: '...(idempotencyKey === undefined ? [] : [keyWrite(session, idempotencyKey, nowMs)]),',
    replace: '',
    breaks: [oneSession],
  },
  {
    name: 'what lies beside a session without a payment is never deleted',
    file: 'shared/table/checkout/session-store.ts',
    find: "'attribute_exists(details) OR payments > :none'",
    replace: "'attribute_exists(PK) OR payments > :none'",
    breaks: [deletedTogether],
  },
  {
    name: 'a payment is begun beside another one',
    file: 'shared/table/checkout/payment-store.ts',
    find: "AND attribute_not_exists(livePaymentId) AND payments = :count AND payments < :max',",
    replace: "AND (payments = :count OR payments < :max)',",
    breaks: [oneAtATime, oneOpening, paidOnce, onwards],
  },
  {
    name: 'a payer is told of a payment that is not stored',
    file: 'shared/checkout/begin-payment.ts',
    find: "if (added !== 'added') throw refusalOf(session, added, nowMs);",
    replace: '',
    breaks: [told],
  },
  {
    name: 'money that comes after the end changes its session again',
    file: 'shared/checkout/settlement.ts',
    find: 'if (!isLive(session, payment)) return undefined;',
    replace: "if (session.status === 'OPEN' && !isLive(session, payment)) return undefined;",
    breaks: [onwards, paidOnce, ends],
  },
  {
    name: 'a payment whose session has gone on is accepted',
    file: 'shared/checkout/settlement.ts',
    find: 'mayComplete(facts) && !isAnotherLive(facts);',
    replace: 'facts.acceptsLatePayments || isAnotherLive(facts);',
    breaks: [paidOnce, oneAtATime, onwards, onceEach],
  },
  {
    name: 'surplus money is kept',
    file: 'shared/table/checkout/settlement-writes.ts',
    find: '? [putNew(refundItem(account, cipher, settlement.refund)), putNew(refundPointer(settlement.refund, payment))]',
    replace: '? []',
    breaks: [balance],
  },
  {
    name: 'money that comes after a failure is not looked for',
    file: 'shared/checkout/checks.ts',
    find: "return payment.status === 'PENDING' || !isSimulated(payment) || payment.chaos === 'late_success';",
    replace: "return payment.status === 'PENDING';",
    breaks: [taken],
  },
  {
    name: 'a refund is asked for without a claim',
    file: 'shared/checkout/work-refund.ts',
    find: 'if (!claim) return { found, answer: await adapter.queryRefund(order, refund), isFree: hasDeadClaim(found, nowMs) };',
    replace:
      'if (!claim) return { found, answer: await adapter.refund(order, refund), isFree: hasDeadClaim(found, nowMs) };',
    breaks: [ends, givenBack, 'a refund that its gateway leaves open is settled by a person, once'],
  },
  {
    name: 'a refund that failed is not given back to the balance',
    file: 'shared/table/checkout/refund-store.ts',
    find: "...(change.status === 'FAILED' ? [balanceWrite(payment, refund.amountMinor)] : []),",
    replace: '',
    breaks: [balance],
  },
  {
    name: 'a refund is not taken off the balance',
    file: 'shared/table/checkout/refund-store.ts',
    find: '        balanceWrite(payment, -refund.amountMinor),\n',
    replace: '',
    breaks: [balance, givenBack],
  },
  {
    name: 'a refund’s idempotency key is not kept',
    file: 'shared/table/checkout/refund-store.ts',
    find: '...(idempotencyKey === undefined ? [] : [putNew(keyItem(refund, idempotencyKey))]),',
    replace: '',
    breaks: [oneRefund],
  },
  {
    name: 'a payment that nobody comes back for is not looked for',
    file: 'functions/checkout/work-payments/sweep-due.ts',
    find: "    { kind: 'resolve', account, session, payment },\n",
    replace: '',
    breaks: [
      taken,
      ends,
      'money that comes within 72 hours is found by the next check that reaches the gateway, or a person is told after the last',
    ],
  },
  {
    name: 'a place that nothing is due in yet is not looked into again when something is',
    file: 'functions/checkout/work-payments/sweep-due.ts',
    find: 'quietUntilMs: isDoubted ? nowMs : nextMs,',
    replace: 'quietUntilMs: nextMs > nowMs && !isDoubted ? nowMs + 86_400_000 : nowMs,',
    breaks: [ends, taken],
  },
  {
    name: 'a session waits for a payment that is over',
    file: 'shared/checkout/settlement.ts',
    find: 'if (!isLive(session, payment)) return undefined;\n  const isOver',
    replace: 'if (isLive(session, payment)) return undefined;\n  const isOver',
    breaks: [ends, oneAtATime, onwards, abandoned],
  },
  {
    name: 'money that comes while its session waits for it goes back',
    file: 'shared/checkout/settlement.ts',
    find: 'mayComplete(facts) && !isAnotherLive(facts);',
    replace: 'mayComplete(facts) && !isAnotherLive(facts) && facts.nowMs < facts.session.expiresMs;',
    breaks: ['money that comes while its session waits for it completes the session'],
  },
  {
    name: 'a payment is asked about after a quarter of an hour only',
    file: 'shared/checkout/checks.ts',
    find: 'const checkSeconds = [15, 45, 120, 300, 900];',
    replace: 'const checkSeconds = [900];',
    breaks: ['money whose callback is lost is found within minutes where nothing fails'],
  },
  {
    name: 'surplus payments have events',
    file: 'shared/checkout/events.ts',
    find: "return mark === 'surplus' ? undefined : 'payment.succeeded';",
    replace: "return 'payment.succeeded';",
    breaks: [onceEach],
  },
  {
    name: 'a second payment of an order is not asked about',
    file: 'functions/checkout/work-payments/check-payment.ts',
    find: 'return isWorthAsking(payment) || speaksOfOther(job, payment);',
    replace: 'return isWorthAsking(payment);',
    breaks: [paidTwice],
  },
  {
    name: 'who pays an order twice is known to nobody',
    file: 'shared/providers/gateways/sslcommerz.ts',
    find: 'if (transactionIds.length > 0)',
    replace: 'if (transactionIds.length > 1)',
    breaks: [paidTwice],
  },
  {
    name: 'a preview of a link begins a payment',
    file: 'functions/checkout/show-checkout/handler.ts',
    find: "isNavigation && !query['problem']",
    replace: "!query['problem']",
    breaks: [oneOpening],
  },
];
