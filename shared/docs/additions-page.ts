import { html } from '../kit/html.ts';
import type { OpenApi } from './document.ts';
import { layout } from './layout.ts';
import { groupContents, groupSections, objectSections, paragraphs } from './reference-parts.ts';

/** The reference of what the messaging specification does not have, generated from its endpoints' contracts. */
export const additionsPage = (document: OpenApi): string =>
  layout({
    path: '/docs/additions',
    title: document.info.title,
    contents: html`<ul>
${groupContents(document)}
<li><a href="#objects">Objects</a></li>
</ul>`,
    main: html`${paragraphs(document.info.description.split('\n\n'))}
${groupSections(document)}
${objectSections(document)}`,
  });
