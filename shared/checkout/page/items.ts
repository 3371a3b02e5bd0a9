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
export const itemRows = (language: Language, { lineItems, currency }: Items): Html => {
  const say = speaker(language);
  const rows = lineItems.map(
    (item) =>
      html`<div><dt>${countText(language, item.quantity)} × <bdi>${item.name}</bdi></dt><dd>${amountText(language, totalOf(item), currency)}</dd></div>\n`,
  );
  const count = fitting(rows.map(({ markup }) => Buffer.byteLength(markup)));
  const rest = lineItems.slice(count);
  const restMinor = rest.reduce((sum, item) => sum + totalOf(item), 0);
  return html`${
    rows.length > 0 &&
    html`<dl class="items">
${rows.slice(0, count)}${
  rest.length > 0 &&
  html`<div><dt>${say('moreItems', { count: countText(language, rest.length) })}</dt><dd>${amountText(language, restMinor, currency)}</dd></div>\n`
}</dl>
`
  }`;
};

const fitting = (sizes: readonly number[]): number => {
  let bytes = 0;
  const over = sizes.findIndex((size, n) => {
    bytes += size;
    return n > 0 && bytes > mostBytes;
  });
  return over < 0 ? sizes.length : over;
};
