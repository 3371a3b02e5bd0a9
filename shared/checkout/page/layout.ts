import { type Html, html } from '../../kit/html.ts';
import type { Language } from '../../kit/language.ts';
import { type Branding, logoPath, noBranding } from '../branding.ts';
import { script } from './script.ts';
import { stylePath } from './style.ts';
import { speaker } from './texts.ts';

/** Whom a payer can ask. */
const support = (language: Language, { supportEmail, supportPhone }: Branding): Html => {
  const ways = [
    supportEmail !== null && html` <a href="mailto:${supportEmail}">${supportEmail}</a>`,
    supportPhone !== null && html` <a href="tel:${supportPhone.replaceAll(/[^+\d]/g, '')}">${supportPhone}</a>`,
  ].flatMap((way) => (way ? [way] : []));
  return html`${ways.length > 0 && html`<p class="ask"><span>${speaker(language)('questions')}</span>${ways}</p>\n`}`;
};

/** How a page learns that its payment has moved on. */
interface Check {
  readonly afterSeconds: number;
  /** Whether a browser that runs no scripts reloads the page. */
  readonly reloads: boolean;
}

export interface PageParts {
  readonly language: Language;
  /** Who is paid, where that is known. */
  readonly merchant?: string;
  readonly branding?: Branding;
  readonly isTest?: boolean;
  /** The page can be had again by its address, so in the other language too. */
  readonly hasAddress: boolean;
  /** What of its address's query must stay when the language changes. */
  readonly query?: string;
  readonly check?: Check;
  readonly mark?: Html;
  /** What the window is called, and the heading. */
  readonly title: string;
  /** The heading where it is not the title. */
  readonly heading?: Html;
  readonly content: Html;
  /** Stands below the content or, on a wide screen, beside it. */
  readonly beside?: Html;
}

/** Ours, so nothing in it is escaped. */
const ours: Html = { markup: `<script>${script}</script>\n` };

/** A whole page. It loads our style sheet, and works without its script. */
export const layout = ({
  language,
  merchant,
  branding = noBranding,
  isTest = false,
  hasAddress,
  query,
  check,
  mark,
  title,
  heading = html`${title}`,
  content,
  beside,
}: PageParts): string => {
  const say = speaker(language);
  const other = language === 'bn' ? 'en' : 'bn';
  return html`<!doctype html>
<html lang="${language}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="stylesheet" href="${stylePath(branding.color)}">
${check?.reloads && html`<noscript><meta http-equiv="refresh" content="${check.afterSeconds}"></noscript>\n`}</head>
<body>
<header>
${isTest && html`<p class="test">${say('testMode')}</p>\n`}<div class="bar">
${merchant !== undefined && html`<p class="brand">${branding.logoId !== null && html`<img src="${logoPath(branding.logoId)}" alt="">`}<bdi>${merchant}</bdi></p>\n`}${
  hasAddress &&
  html`<nav aria-label="${say('language')}"><a href="?${query && `${query}&`}lang=${other}" lang="${other}" hreflang="${other}">${say('otherLanguage')}</a></nav>\n`
}</div>
</header>
<main${check && html` data-check-seconds="${check.afterSeconds}"`}>
<article>
<div>
${mark}<h1>${heading}</h1>
${content}
</div>
${
  beside &&
  html`<div class="beside">
${beside}</div>\n`
}</article>
</main>
<footer>
${support(language, branding)}</footer>
${ours}</body>
</html>
`.markup;
};
