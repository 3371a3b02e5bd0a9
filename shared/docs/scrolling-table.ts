import { type Html, html, prose } from '../kit/html.ts';

/** A table that scrolls sideways where it is wider than the screen; with the keyboard too. */
export const scrollingTable = (heads: readonly string[], table: Html): Html =>
  html`<div class="table" tabindex="0" role="group" aria-label="${heads.join(', ')}">${table}</div>\n`;

/** A table of texts in which code stands in backticks, which scrolls sideways where it is wider than the screen. */
export const table = (heads: readonly string[], rows: readonly (readonly string[])[]): Html =>
  scrollingTable(
    heads,
    html`<table>
<thead><tr>${heads.map((head) => html`<th>${prose(head)}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${prose(cell)}</td>`)}</tr>\n`)}</tbody>
</table>`,
  );
