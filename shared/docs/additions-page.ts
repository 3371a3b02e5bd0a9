import { html } from '../kit/html.ts';
import type { DocsPage } from './docs-page.ts';
import type { OpenApi } from './document.ts';
import { groupSections, objectSections, paragraphs } from './reference-parts.ts';

/** The reference of what the messaging specification does not have, generated from its endpoints' contracts. */
export const additionsPage = (document: OpenApi): DocsPage => ({
  path: '/docs/additions',
  title: document.info.title,
  summary:
    'Batch, preview, reschedule and cancel messages; change templates; imports, exports, suppressions and attachments.',
  isWide: true,
  main: html`${paragraphs(document.info.description.split('\n\n'))}
${groupSections(document)}
${objectSections(document)}`,
});
