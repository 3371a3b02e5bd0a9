import { html, joined, prose } from '../kit/html.ts';
import type { DocsPage } from './docs-page.ts';
import type { OpenApi } from './document.ts';
import { field } from './field-list.ts';
import { limitEntries, messagingLimits, phoneRules } from './limits.ts';
import { contactStatuses, messageStatuses, statusRules } from './messaging-guide.ts';
import { conventions, entryList, groupSections, objectSections, paragraphs } from './reference-parts.ts';

/** The reference of messaging, generated from the machine-readable description. It is also where a reader of `/docs` begins. */
export const referencePage = (document: OpenApi): DocsPage => ({
  path: '/docs',
  title: document.info.title,
  summary: 'Send email, sms and whatsapp messages; manage contacts and templates; read analytics.',
  isWide: true,
  main: html`<p class="lead">New here? The <a href="/docs/quick-start">quick start</a> sends a first message in a minute. Guides: ${joined(
    starts.map(([path, name]) => html`<a href="${path}">${name}</a>`),
    ', ',
  )}. <a href="/docs/checkout">Hosted checkout</a> has a reference of its own.</p>
<section aria-labelledby="conventions">
<h2 id="conventions">Conventions</h2>
${paragraphs(document.info.description.split('\n\n'))}
<p>${conventions(document)}</p>
<h3>API keys</h3>
<p>Each key has the scopes that it was granted. There are three equivalent ways to send it:</p>
<ul>${Object.values(document.components.securitySchemes).map(({ description }) => html`<li>${prose(description)}</li>\n`)}</ul>
<h3>Response headers</h3>
<dl>${Object.entries(document.components.headers).map(([name, { description, schema }]) => field(name, { ...schema, description }, true))}</dl>
</section>
${groupSections(document)}
<section aria-labelledby="statuses">
<h2 id="statuses">Statuses</h2>
<h3>Message statuses</h3>
${entryList(messageStatuses)}
${paragraphs(statusRules)}
<h3>Contact statuses</h3>
${entryList(contactStatuses)}
</section>
<section aria-labelledby="limits">
<h2 id="limits">Limits</h2>
<p>In addition to the limits given with each field above:</p>
${entryList(limitEntries(messagingLimits))}
<p>${prose(phoneRules)}</p>
</section>
${objectSections(document)}`,
});

const starts = [
  ['/docs/statuses', 'statuses'],
  ['/docs/consent', 'consent'],
  ['/docs/credits', 'credits'],
  ['/docs/templates', 'templates'],
  ['/docs/receiving', 'webhooks'],
  ['/docs/errors', 'errors'],
] as const;
