import { randomIn } from './random.ts';

/** What a gateway says of a payment's money that is not what was asked. */
export type Misreport = 'less' | 'more' | 'other currency' | 'other payment' | 'risky';

type Fields = Record<string, string>;

const kinds = [undefined, 'less', 'more', 'other currency', 'other payment', 'risky'] as const;

/** Of which payments a gateway reports something else. */
export const misreportOf = (seed: number, paymentId: string): Misreport | undefined =>
  randomIn(seed, `report of ${paymentId}`).pick(kinds);

/** What the payer has paid instead of what was asked for. */
const otherAmounts: Partial<Record<Misreport, string>> = { less: '2400.00', more: '2600.00' };

interface AtBkash {
  amount: string;
  reports: Fields;
}

/** Has bKash report a payment so from now on. */
export const misreportAtBkash = (payment: AtBkash, misreport: Misreport | undefined): void => {
  if (misreport === undefined) return;
  payment.amount = otherAmounts[misreport] ?? payment.amount;
  if (misreport === 'other currency') payment.reports['currency'] = 'USD';
  if (misreport === 'other payment') payment.reports['merchantInvoiceNumber'] = 'B0';
};

/** How SSLCommerz reports money. Of another currency it says how much of it, and how much that was in taka. */
export const misreportedAtSslcommerz = (misreport: Misreport | undefined): Fields => {
  if (misreport === undefined) return {};
  const amount = otherAmounts[misreport];
  if (amount !== undefined) return { amount, currency_amount: amount };
  if (misreport === 'other currency') return { currency_type: 'USD', currency_amount: '20.50' };
  return { risk_level: '1', risk_title: 'High' };
};
