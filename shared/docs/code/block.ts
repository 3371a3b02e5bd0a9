import { type Html, html } from '../../kit/html.ts';
import { highlight } from './highlight.ts';
import type { Sample } from './samples.ts';

/** A block of code. It can be scrolled by keyboard, so it has a name. */
export const codeBlock = (code: string, language: string, label = 'Code'): Html =>
  html`<pre tabindex="0" role="group" aria-label="${label}" data-language="${language}"><code>${highlight(code.trim(), language)}</code></pre>`;

/** A value of JSON, indented. */
export const jsonBlock = (value: unknown, label = 'JSON'): Html =>
  codeBlock(JSON.stringify(value, null, 2), 'json', label);

/** A block of code in each of several languages. The script turns them into tabs; without it, they are shown one after the other. */
export const codeTabs = (samples: readonly Sample[]): Html =>
  html`<div class="samples">${samples.map(
    ({ language, code }) =>
      html`<div class="sample" data-language="${language}"><p class="label">${language}</p>${codeBlock(code, language.toLowerCase(), `${language} code`)}</div>\n`,
  )}</div>\n`;
