import type { Mistake } from './mistake.ts';

const alike = 'all readers say the same of a session, its payments and refunds';
const refunded = 'what is read of a payment as refunded is the sum of its refunds';
const over = 'a session that is read as over does not come back';
const oneForm = 'a form that is sent more than once begins one payment';

/** Mistakes with what is read, and with forms, that the simulation must find. */
export const watcherMistakes: readonly Mistake[] = [
  {
    name: 'an automatic refund is in no list',
    file: 'shared/table/checkout/settlement-writes.ts',
    find: ', putNew(refundPointer(settlement.refund, payment))]',
    replace: ']',
    breaks: [alike, refunded],
  },
  {
    name: 'what a review gave back counts as what was asked',
    file: 'shared/checkout/payment-view.ts',
    find: "payment.review?.decision === 'refund' ? amountToReturn(payment) : payment.amountMinor;",
    replace: 'payment.amountMinor;',
    breaks: [refunded],
  },
  {
    name: 'the page does not wait for a payment under way',
    file: 'functions/checkout/get-session/handler.ts',
    find: '...statusAt(session, nowMs),',
    replace: '...statusAt({ ...session, livePaymentId: undefined }, nowMs),',
    breaks: [over],
  },
  {
    name: 'a form that comes again begins another payment',
    file: 'functions/checkout/begin-payment-by-form/handler.ts',
    find: "Number(form['begun'] ?? session.paymentCount)",
    replace: "Number(form['count'] ?? session.paymentCount)",
    breaks: [oneForm],
  },
];
