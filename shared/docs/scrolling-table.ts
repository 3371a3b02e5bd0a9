import { type Html, html } from '../kit/html.ts';

/** A table that scrolls sideways where it is wider than the screen; with the keyboard too. */
export const scrollingTable = (heads: readonly string[], table: Html): Html =>
  html`<div class="table" tabindex="0" role="group" aria-label="${heads.join(', ')}">${table}</div>\n`;
