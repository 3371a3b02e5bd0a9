/** Text that is HTML already. Only `html` creates it; all other values are escaped. */
export interface Html {
  readonly markup: string;
}

type Part = Html | string | number | false | undefined | readonly Part[];

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (mark) => escapes[mark] ?? mark);

const markupOf = (part: Part): string => {
  if (part === undefined || part === false) return '';
  if (typeof part !== 'object') return escapeHtml(String(part));
  return 'markup' in part ? part.markup : part.map(markupOf).join('');
};

/** HTML with its values escaped, except those that are HTML already. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  markup: strings.map((literal, i) => (i === 0 ? literal : markupOf(parts[i - 1]) + literal)).join(''),
});

/** The part of CommonMark that descriptions use: text with `code`. */
export const prose = (text: string): Html =>
  html`${text.split('`').map((part, i) => (i % 2 === 0 ? part : html`<code>${part}</code>`))}`;

export const joined = (parts: readonly Html[], between: string): Html =>
  html`${parts.map((part, i) => (i === 0 ? part : html`${between}${part}`))}`;
