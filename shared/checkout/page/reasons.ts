import type { Payment } from '../payment.ts';
import { isSimulated, testAmounts } from '../simulation.ts';

/** Why a payment was declined, as far as it helps the payer. */
export type Reason =
  | 'reasonFunds'
  | 'reasonLimit'
  | 'reasonExpired'
  | 'reasonDetails'
  | 'reasonUnconfirmed'
  | 'reasonBarred'
  | 'reasonTest'
  | 'reasonOther';

/** bKash's codes of a refused payment. SSLCommerz has no codes: its words decide. */
const byCode: Readonly<Record<string, Reason>> = {
  2023: 'reasonFunds',
  2037: 'reasonBarred',
  2038: 'reasonBarred',
  2057: 'reasonBarred',
  2058: 'reasonBarred',
  2080: 'reasonBarred',
  2081: 'reasonBarred',
  2082: 'reasonBarred',
};

/** The first that fits decides. */
const byWords: readonly (readonly [words: RegExp, reason: Reason])[] = [
  [/insufficient|not sufficient|low balance|not enough/i, 'reasonFunds'],
  [/limit|exceed/i, 'reasonLimit'],
  [/expired? card|card (has |is )?expired|expiry/i, 'reasonExpired'],
  [/\b(otp|pin|password|3-?d|authentication|verification)\b/i, 'reasonUnconfirmed'],
  [/invalid|incorrect|wrong/i, 'reasonDetails'],
  [/not permitted|not allowed|restricted|block|barred|inactive|lost|stolen/i, 'reasonBarred'],
];

/** A gateway's words are for the merchant; a payer reads ours, in their language. */
export const reasonFor = (payment: Pick<Payment, 'gatewayCode' | 'amountMinor' | 'lastAnswer'>): Reason => {
  const { code = '', reason = '' } = payment.lastAnswer ?? {};
  if (isSimulated(payment) && payment.amountMinor === testAmounts.declined) return 'reasonTest';
  return byCode[code] ?? byWords.find(([words]) => words.test(reason))?.[1] ?? 'reasonOther';
};
