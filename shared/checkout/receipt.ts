import { html } from '../kit/html.ts';
import { isolated } from '../kit/isolated.ts';
import type { Language } from '../kit/language.ts';
import type { Content } from '../messages/content.ts';
import type { Branding } from './branding.ts';
import { type AcceptanceMethod, labelOf } from './methods.ts';
import { amountText, countText, timeText } from './page/money.ts';
import { receiptTexts } from './page/receipt-texts.ts';
import type { Payment } from './payment.ts';
import type { CheckoutSession } from './session.ts';

interface Paid {
  readonly session: Pick<CheckoutSession, 'description' | 'invoiceId' | 'livemode' | 'lineItems' | 'locale'>;
  readonly payment: Pick<
    Payment,
    'id' | 'amountMinor' | 'currency' | 'acceptanceMethodId' | 'gatewayCode' | 'transactionId'
  >;
  readonly merchant: string;
  readonly branding: Branding;
  /** Where our copy of the merchant's logo is. */
  readonly logoUrl: string | undefined;
  /** The one that was paid with, where it is still known. */
  readonly method: AcceptanceMethod | undefined;
  readonly paidMs: number;
}

/** What only a receipt says: for the rest it has the words of the page. */
const words = {
  en: {
    test: 'TEST: no money has moved',
    title: 'Receipt for',
    paid: 'You have paid',
    to: 'To',
    questions: 'Questions',
  },
  bn: {
    test: 'TEST: পরীক্ষামূলক, কোনো টাকা কাটা হয়নি',
    title: 'রসিদ:',
    paid: 'আপনি পরিশোধ করেছেন',
    to: 'প্রাপক',
    questions: 'প্রশ্ন থাকলে',
  },
} as const satisfies Record<Language, Readonly<Record<string, string>>>;

type Line = readonly [name: string, value: string];

const linesOf = (
  language: Language,
  { session, payment, merchant, branding, method, paidMs }: Paid,
): readonly Line[] => {
  const word = words[language];
  const lines: readonly (readonly [string, string | undefined])[] = [
    [word.paid, amountText(language, payment.amountMinor, payment.currency)],
    [word.to, merchant],
    [receiptTexts.paidFor[language], session.description],
    ...session.lineItems.map(({ name, quantity, unitAmountMinor }) => {
      const total = amountText(language, quantity * unitAmountMinor, payment.currency);
      return [`${countText(language, quantity)} × ${isolated(name)}`, total] as const;
    }),
    [receiptTexts.invoice[language], session.invoiceId],
    [receiptTexts.paidWith[language], labelOf(method ? [method] : [], payment, language)],
    [receiptTexts.paidAt[language], timeText(language, paidMs)],
    [receiptTexts.transaction[language], payment.transactionId],
    [receiptTexts.reference[language], payment.id],
    [receiptTexts.statement[language], branding.statementName ?? undefined],
    [
      word.questions,
      [branding.supportEmail, branding.supportPhone].filter((way) => way !== null).join(', ') || undefined,
    ],
  ];
  return lines.flatMap(([name, value]) => (value?.trim() ? [[name, value] as const] : []));
};

const textPart = (language: Language, paid: Paid): string => {
  const lines = linesOf(language, paid).map(([name, value]) => `${name}: ${isolated(value)}\n`);
  return [...(paid.session.livemode ? [] : [`${words[language].test}\n`]), ...lines].join('');
};

const htmlPart = (language: Language, paid: Paid) => html`<section lang="${language}">
${!paid.session.livemode && html`<p><strong>${words[language].test}</strong></p>\n`}<table>
${linesOf(language, paid).map(([name, value]) => html`<tr><th scope="row" align="left">${name}</th><td><bdi>${value}</bdi></td></tr>\n`)}</table>
</section>
`;

/** The receipt mail, in the session's language, or in both languages of the page. Merchants' own names are in the body only, never in a header. */
export const receiptContent = (paid: Paid): Content => {
  const { session, payment, branding, logoUrl } = paid;
  const languages = session.locale ? [session.locale] : (['en', 'bn'] as const);
  const [first] = languages;
  const amount = amountText(first, payment.amountMinor, payment.currency);
  const title = `${session.livemode ? '' : '[TEST] '}${words[first].title} ${amount}`;
  return {
    subject: title,
    html: html`<!doctype html>
<html lang="${first}">
<head><meta charset="utf-8"><title>${title}</title></head>
<body>
${logoUrl !== undefined && html`<p><img src="${logoUrl}" alt="" height="40"></p>\n`}${branding.color !== null && html`<hr style="border:0;height:4px;background:${branding.color}">\n`}${languages.map((language) => htmlPart(language, paid))}</body>
</html>
`.markup,
    text: languages.map((language) => textPart(language, paid)).join('\n'),
  };
};
