import { html } from '../kit/html.ts';
import type { DocsPage } from './docs-page.ts';
import type { OpenApi } from './document.ts';
import { conventions, groupSections, objectSections, paragraphs } from './reference-parts.ts';

/** The operators' reference, generated from their endpoints' contracts. */
export const adminPage = (document: OpenApi): DocsPage => ({
  path: '/docs/admin',
  title: document.info.title,
  summary: 'What the dashboard does: accounts, people, keys, credits, payment methods, refunds.',
  isWide: true,
  main: html`<section aria-labelledby="conventions">
<h2 id="conventions">Conventions</h2>
${paragraphs(document.info.description.split('\n\n'))}
<p>${conventions(document)}</p>
</section>
${groupSections(document)}
${objectSections(document)}`,
});
