import type { Content } from '../messages/content.ts';
import { amountText, timeText } from './page/money.ts';
import type { Payment } from './payment.ts';
import type { CheckoutSession } from './session.ts';

interface Paid {
  readonly session: Pick<CheckoutSession, 'description' | 'invoiceId'>;
  readonly payment: Pick<Payment, 'id' | 'amountMinor' | 'currency'>;
  readonly merchant: string;
  readonly paidMs: number;
}

const words = {
  en: {
    paid: 'You have paid',
    to: 'To',
    for: 'For',
    invoice: 'Invoice',
    at: 'On',
    reference: 'Payment',
  },
  bn: {
    paid: 'আপনি পরিশোধ করেছেন',
    to: 'প্রাপক',
    for: 'বিবরণ',
    invoice: 'ইনভয়েস',
    at: 'সময়',
    reference: 'পেমেন্ট',
  },
} as const;

/** What a payer reads who has paid, in both languages of the page. What merchants have named stands in the text only, never in a header. */
export const receiptOf = ({ session, payment, merchant, paidMs }: Paid): Content => {
  const part = (language: keyof typeof words): string => {
    const word = words[language];
    const amount = amountText(language, payment.amountMinor, payment.currency);
    const lines = [
      [word.paid, amount],
      [word.to, merchant],
      [word.for, session.description],
      [word.invoice, session.invoiceId],
      [word.at, timeText(language, paidMs)],
      [word.reference, payment.id],
    ];
    return lines.flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}\n`])).join('');
  };
  return {
    subject: `Receipt for ${amountText('en', payment.amountMinor, payment.currency)}`,
    html: undefined,
    text: `${part('en')}\n${part('bn')}`,
  };
};
