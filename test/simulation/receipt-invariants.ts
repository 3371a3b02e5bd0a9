import type { Payment } from '../../shared/checkout/payment.ts';
import type { AccountFacts } from './facts.ts';
import type { Invariant, Judged } from './invariants.ts';
import { isMade } from './message-invariants.ts';
import { receiptOf } from './receipts.ts';

interface Paid {
  readonly account: AccountFacts;
  readonly payment: Payment;
  readonly livemode: boolean;
  readonly isDue: boolean;
  readonly email: string | undefined;
  readonly messages: AccountFacts['messages'];
}

const paymentsIn = ({ facts, receipts }: Judged): readonly Paid[] =>
  facts.flatMap((account) =>
    account.sessions.flatMap(({ session: { livemode, customer }, payments }) =>
      payments.map((payment) => ({
        account,
        payment,
        livemode,
        email: customer.email,
        isDue:
          receipts !== undefined &&
          customer.email !== undefined &&
          payment.status === 'SUCCEEDED' &&
          payment.mark !== 'surplus',
        messages: account.messages.filter(({ request }) => request === receiptOf(payment.id)),
      })),
    ),
  );

/** For each payment, what it breaks. */
const ofPayments =
  (what: (paid: Paid, judged: Judged) => string | false) =>
  (judged: Judged): readonly string[] =>
    paymentsIn(judged).flatMap((paid) => {
      const broken = what(paid, judged);
      return broken === false ? [] : [`payment ${paid.payment.id} (${paid.payment.status}): ${broken}`];
    });

/** By its merchant, as far as that one knows. */
const mayBeCancelled = (email: string | undefined, { receipts }: Judged): boolean =>
  receipts?.cancellations.some((one) => one.to === email && isMade(one) !== false) === true;

/** Receipts cost credits, and an account with few may have none left. */
const mayBeUnfunded = ({ account: { account } }: Paid): boolean => (account.granted?.email ?? 0) < 50;

export const receiptInvariants: readonly Invariant[] = [
  {
    name: 'each payment that counts has one receipt, and no other has any',
    violations: ofPayments((paid, judged) => {
      const { isDue, messages, email } = paid;
      if (messages.length > (isDue ? 1 : 0)) return `${messages.length} receipts`;
      const isMissing = isDue && messages.length === 0 && !mayBeCancelled(email, judged) && !mayBeUnfunded(paid);
      return isMissing && 'no receipt';
    }),
  },
  {
    name: 'a receipt goes to its payer, and names the payment and its mode',
    violations: ofPayments(({ payment, livemode, messages }, { messaging, checkout }) => {
      const mails = messaging.mails.filter(({ message }) => messages.some((own) => own.message.id === message));
      const order = checkout?.orders.find(({ payments }) => payments.includes(payment.id));
      const isRight = mails.every(
        ({ to, said: [subject = '', text = ''] }) =>
          (!order || to.startsWith(order.id.replace(' ', '-'))) &&
          subject.includes('[TEST]') !== livemode &&
          text.includes(payment.id),
      );
      return !isRight && `it says ${JSON.stringify(mails)}`;
    }),
  },
];
