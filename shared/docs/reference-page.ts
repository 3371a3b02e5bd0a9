import { html, prose } from '../kit/html.ts';
import type { OpenApi } from './document.ts';
import { field } from './field-list.ts';
import { layout } from './layout.ts';
import { limitEntries, messagingLimits, phoneRules } from './limits.ts';
import { contactStatuses, messageStatuses, statusRules } from './messaging-guide.ts';
import { entryList, groupContents, groupSections, objectSections, paragraphs } from './reference-parts.ts';

/** The reference page, generated from the machine-readable description alone. */
export const referencePage = (document: OpenApi): string => {
  const { info, servers, components } = document;
  const server = servers[0]?.url ?? '';
  return layout({
    path: '/docs',
    title: info.title,
    contents: html`<ul>
<li><a href="#conventions">Conventions</a></li>
${groupContents(document)}
<li><a href="#statuses">Statuses</a></li>
<li><a href="#limits">Limits</a></li>
<li><a href="#objects">Objects</a></li>
</ul>`,
    main: html`<section aria-labelledby="conventions">
<h2 id="conventions">Conventions</h2>
${paragraphs(info.description.split('\n\n'))}
<p>A request field is required, and a response field is always present, unless it is marked optional. Every path begins with <code>${server}</code>. The examples expect two shell variables: <code>BASE_URL</code>, this host followed by <code>${server}</code>, and <code>API_KEY</code>.</p>
<h3>API keys</h3>
<p>Each key has the scopes that it was granted. There are three equivalent ways to send it:</p>
<ul>${Object.values(components.securitySchemes).map(({ description }) => html`<li>${prose(description)}</li>\n`)}</ul>
<h3>Response headers</h3>
<dl>${Object.entries(components.headers).map(([name, { description, schema }]) => field(name, { ...schema, description }, true))}</dl>
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
};
