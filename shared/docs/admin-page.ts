import { html } from '../kit/html.ts';
import type { OpenApi } from './document.ts';
import { layout } from './layout.ts';
import { groupContents, groupSections, objectSections, paragraphs } from './reference-parts.ts';

/** The operators' reference, generated from their endpoints' contracts. */
export const adminPage = (document: OpenApi): string => {
  const { info, servers } = document;
  const server = servers[0]?.url ?? '';
  return layout({
    path: '/docs/admin',
    title: info.title,
    contents: html`<ul>
<li><a href="#conventions">Conventions</a></li>
${groupContents(document)}
<li><a href="#objects">Objects</a></li>
</ul>`,
    main: html`<section aria-labelledby="conventions">
<h2 id="conventions">Conventions</h2>
${paragraphs(info.description.split('\n\n'))}
<p>A request field is required, and a response field is always present, unless it is marked optional. Every path begins with <code>${server}</code>. The examples expect two shell variables: <code>BASE_URL</code>, this host followed by <code>${server}</code>, and <code>API_KEY</code>, the admin token of a local stack.</p>
</section>
${groupSections(document)}
${objectSections(document)}`,
  });
};
