import { type Html, html } from '../../kit/html.ts';
import type { Language } from '../../kit/language.ts';
import { type Branding, logoPath, noBranding } from '../branding.ts';
import { icons } from './icons.ts';
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

interface Parts {
  readonly language: Language;
  /** Who is paid, where that is known. */
  readonly merchant?: string;
  readonly branding?: Branding;
  readonly isTest?: boolean;
  /** The page can be had again by its address, so in the other language too. */
  readonly hasAddress: boolean;
  /** What of its address's query must stay when the language changes. */
  readonly query?: string;
  readonly mark?: Html;
  /** The one heading, and what the window is called. */
  readonly title: string;
  readonly content: Html;
}

/** A whole page: no script, nothing loaded but the style sheet. */
export const layout = ({
  language,
  merchant,
  branding = noBranding,
  isTest = false,
  hasAddress,
  query,
  mark,
  title,
  content,
}: Parts): string => {
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
</head>
<body>
<header>
${isTest && html`<p class="test">${say('testMode')}</p>\n`}<div class="bar">
${merchant !== undefined && html`<p class="brand">${branding.logoId !== null && html`<img src="${logoPath(branding.logoId)}" alt="">`}${merchant}</p>\n`}${
  hasAddress &&
  html`<nav aria-label="${say('language')}"><a href="?${query && `${query}&`}lang=${other}" lang="${other}" hreflang="${other}">${say('otherLanguage')}</a></nav>\n`
}</div>
</header>
<main>
<article>
${mark}<h1>${title}</h1>
${content}
</article>
</main>
<footer>
${support(language, branding)}<p>${icons.lock}<span>${say('secure')}</span></p>
</footer>
</body>
</html>
`.markup;
};
