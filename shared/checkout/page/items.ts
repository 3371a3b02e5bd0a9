import { type Html, html } from '../../kit/html.ts';
import type { Language } from '../../kit/language.ts';
import type { LineItem } from '../line-items.ts';
import { amountText, countText } from './money.ts';
import { speaker } from './texts.ts';

interface Items {
  readonly lineItems: readonly LineItem[];
  readonly currency: string;
}

/** The bytes that items may take of a page, which has 14 KB with its style sheet. */
const mostBytes = 3_000;

const totalOf = ({ quantity, unitAmountMinor }: LineItem): number => quantity * unitAmountMinor;

/** What is paid for: as many items as fit the page, at least one, and how many there are beside. */
export const itemRows = (language: Language, items: Items): Html => list(rowsOf(language, items));

/** The items that are seen at once before a payment, where there are more: a payer on a phone should not scroll far to pay. */
const mostSeen = 4;

/** What is to be paid for: the rest of a long list opens when it is tapped. */
export const itemSummary = (language: Language, { lineItems, currency }: Items): Html => {
  const rows = rowsOf(language, { lineItems, currency });
  if (rows.length <= mostSeen + 1) return list(rows);
  return html`${list(rows.slice(0, mostSeen))}<details>
<summary>${restText(language, lineItems.slice(mostSeen), currency)}</summary>
${list(rows.slice(mostSeen))}</details>
`;
};

const list = (rows: readonly Html[]): Html =>
  html`${rows.length > 0 && html`<dl class="items">\n${rows.map((row) => html`<div>${row}</div>\n`)}</dl>\n`}`;

const rowsOf = (language: Language, { lineItems, currency }: Items): readonly Html[] => {
  const rows = lineItems.map(
    (item) =>
      html`<dt>${countText(language, item.quantity)} × <bdi>${item.name}</bdi></dt><dd>${amountText(language, totalOf(item), currency)}</dd>`,
  );
  const count = fitting(rows.map(({ markup }) => Buffer.byteLength(markup)));
  const rest = lineItems.slice(count);
  return [...rows.slice(0, count), ...(rest.length > 0 ? [restRow(language, rest, currency)] : [])];
};

const sumOf = (items: readonly LineItem[]): number => items.reduce((sum, item) => sum + totalOf(item), 0);

const moreText = (language: Language, rest: readonly LineItem[]): string =>
  speaker(language)('moreItems', { count: countText(language, rest.length) });

const restRow = (language: Language, rest: readonly LineItem[], currency: string): Html =>
  html`<dt>${moreText(language, rest)}</dt><dd>${amountText(language, sumOf(rest), currency)}</dd>`;

const restText = (language: Language, rest: readonly LineItem[], currency: string): Html =>
  html`<span>${moreText(language, rest)}</span> <span>${amountText(language, sumOf(rest), currency)}</span>`;

const fitting = (sizes: readonly number[]): number => {
  let bytes = 0;
  const over = sizes.findIndex((size, n) => {
    bytes += size;
    return n > 0 && bytes > mostBytes;
  });
  return over < 0 ? sizes.length : over;
};
