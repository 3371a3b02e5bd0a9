import type { Language } from '../../kit/language.ts';

/** What pages and receipts call the facts of a payment. A file of its own, because the function that mails receipts loads no other texts. */
export const receiptTexts = {
  paidFor: { en: 'For', bn: 'বাবদ' },
  paidWith: { en: 'Paid with', bn: 'পরিশোধের মাধ্যম' },
  paidAt: { en: 'Date', bn: 'তারিখ' },
  invoice: { en: 'Invoice', bn: 'ইনভয়েস নম্বর' },
  transaction: { en: 'Transaction ID', bn: 'লেনদেন নম্বর' },
  reference: { en: 'Payment ID', bn: 'পেমেন্ট নম্বর' },
  statement: { en: 'On your statement', bn: 'হিসাব বিবরণীতে নাম' },
} as const satisfies Record<string, Readonly<Record<Language, string>>>;
