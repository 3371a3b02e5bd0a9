import { type Html, html } from '../../kit/html.ts';
import type { Language } from '../../kit/language.ts';
import { checkoutAddresses, returnAddress } from '../addresses.ts';
import type { Branding } from '../branding.ts';
import type { LineItem } from '../line-items.ts';
import type { CheckoutSession } from '../session.ts';
import { icons } from './icons.ts';
import { itemSummary } from './items.ts';
import { layout, type PageParts } from './layout.ts';
import { amountText } from './money.ts';
import { speaker } from './texts.ts';

/** What every page of a checkout session shows. */
export interface Sale {
  /** Where the session's page is. */
  readonly path: string;
  readonly merchant: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly description: string | undefined;
  readonly lineItems: readonly LineItem[];
  readonly branding: Branding;
  readonly livemode: boolean;
  readonly invoiceId: string | undefined;
  readonly expiresMs: number;
  /** When it is shown. */
  readonly nowMs: number;
  /** Where the merchant wants payers back, paid or not. */
  readonly successUrl: string | undefined;
  readonly cancelUrl: string | undefined;
}

type Shown = Pick<Sale, 'merchant' | 'branding' | 'nowMs'>;

/** The session as its pages show it. `merchant`: the account's name and looks. */
export const saleOf = (session: CheckoutSession, { merchant, branding, nowMs }: Shown): Sale => {
  const back = (url: string | undefined) => url && returnAddress(url, session.id);
  const worded = (text: string | undefined) => text?.trim() || undefined;
  return {
    path: pagePaths.page(session.id),
    merchant,
    branding,
    amountMinor: session.amountMinor,
    currency: session.currency,
    description: worded(session.description),
    lineItems: session.lineItems,
    livemode: session.livemode,
    invoiceId: worded(session.invoiceId),
    expiresMs: session.expiresMs,
    nowMs,
    successUrl: back(session.successUrl),
    cancelUrl: back(session.cancelUrl),
  };
};

/** The language of a session's pages: the payer's choice, the session's, or that of the payer's browser. */
export const languageFor = (
  { locale }: Pick<CheckoutSession, 'locale'>,
  { language, chosenLanguage }: { readonly language: Language; readonly chosenLanguage: Language | undefined },
): Language => chosenLanguage ?? locale ?? language;

/** The pages' addresses as pages name them to each other: by path alone, so that a payer stays where they came in. */
export const pagePaths = checkoutAddresses('');

export const marks = {
  good: html`<div class="mark good">${icons.done}</div>\n`,
  bad: html`<div class="mark bad">${icons.trouble}</div>\n`,
  cancelled: html`<div class="mark bad">${icons.cross}</div>\n`,
  clock: html`<div class="mark">${icons.clock}</div>\n`,
  busy: html`<div class="mark busy"></div>\n`,
} as const;

type SaleParts = Pick<PageParts, 'title' | 'heading' | 'mark' | 'content' | 'beside' | 'query' | 'check'>;

export const salePage = (language: Language, { merchant, branding, livemode }: Sale, parts: SaleParts): string =>
  layout({ language, merchant, branding, isTest: !livemode, hasAddress: true, ...parts });

/** An amount in large type, on one line. */
export const largeAmount = (
  language: Language,
  { amountMinor, currency }: Pick<Sale, 'amountMinor' | 'currency'>,
): Html => {
  const text = amountText(language, amountMinor, currency);
  return html`<span class="${text.length > 12 ? 'amount long' : 'amount'}">${text}</span>`;
};

/** What is to be paid. `more` stands under the amount. */
export const sum = (language: Language, sale: Sale, more?: Html): Html =>
  html`<div class="sum">
<p>${largeAmount(language, sale)}</p>
${more}${details(language, sale)}</div>`;

/** What the amount is for. */
export const details = (language: Language, { description, lineItems, currency }: Sale): Html =>
  html`${description !== undefined && html`<p class="for">${asWritten(description)}</p>\n`}${itemSummary(language, { lineItems, currency })}`;

/** Where details are entered: a payer should give them nowhere else. */
export const lockLine = (language: Language): Html =>
  html`<p class="safe">${icons.lock}<span>${speaker(language)('secure')}</span></p>\n`;

/** What a merchant wrote, in any direction of writing, so that it turns nothing around that stands beside it. */
export const asWritten = (text: string): Html => html`<bdi>${text}</bdi>`;

/** The way back for who does not pay. */
export const wayOut = (language: Language, { merchant, cancelUrl }: Sale, isOver = false): Html => {
  const say = speaker(language);
  const text = isOver ? say('returnToMerchant', { merchant }) : say('leave');
  return html`${cancelUrl !== undefined && html`<p class="away"><a href="${cancelUrl}">${text}</a></p>`}`;
};
