import { type Html, html } from '../../kit/html.ts';
import type { Language } from '../../kit/language.ts';
import { checkoutAddresses, returnAddress } from '../addresses.ts';
import type { Branding } from '../branding.ts';
import type { LineItem } from '../line-items.ts';
import type { CheckoutSession } from '../session.ts';
import { icons } from './icons.ts';
import { itemRows } from './items.ts';
import { layout } from './layout.ts';
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
  readonly expiresMs: number;
  /** Where the merchant wants payers back, paid or not. */
  readonly successUrl: string | undefined;
  readonly cancelUrl: string | undefined;
}

/** The session as its pages show it. `merchant`: the account's name and looks. */
export const saleOf = (session: CheckoutSession, { merchant, branding }: Pick<Sale, 'merchant' | 'branding'>): Sale => {
  const back = (url: string | undefined) => url && returnAddress(url, session.id);
  return {
    path: pagePaths.page(session.id),
    merchant,
    branding,
    amountMinor: session.amountMinor,
    currency: session.currency,
    description: session.description,
    lineItems: session.lineItems,
    livemode: session.livemode,
    expiresMs: session.expiresMs,
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
  clock: html`<div class="mark">${icons.clock}</div>\n`,
  busy: html`<div class="mark busy"></div>\n`,
} as const;

interface Parts {
  readonly title: string;
  readonly mark?: Html;
  readonly content: Html;
  readonly query?: string;
}

export const salePage = (language: Language, { merchant, branding, livemode }: Sale, parts: Parts): string =>
  layout({ language, merchant, branding, isTest: !livemode, hasAddress: true, ...parts });

/** What is to be paid. */
export const sum = (language: Language, { amountMinor, currency, description, lineItems }: Sale): Html =>
  html`<div class="sum">
<p class="amount">${amountText(language, amountMinor, currency)}</p>
${description !== undefined && html`<p class="soft">${asWritten(description)}</p>\n`}${itemRows(language, { lineItems, currency })}</div>`;

/** What a merchant wrote, in whatever direction its language runs, so that it turns nothing around that stands beside it. */
export const asWritten = (text: string): Html => html`<bdi>${text}</bdi>`;

/** The way back for who does not pay. */
export const wayOut = (language: Language, { merchant, cancelUrl }: Sale, isOver = false): Html => {
  const text = speaker(language)(isOver ? 'returnToMerchant' : 'leave', { merchant });
  return html`${cancelUrl !== undefined && html`<p class="away"><a href="${cancelUrl}">${text}</a></p>`}`;
};
