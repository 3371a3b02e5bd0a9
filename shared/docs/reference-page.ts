import { html, prose } from '../kit/html.ts';
import type { OpenApi } from './document.ts';
import { field } from './field-list.ts';
import { layout } from './layout.ts';
import { limitEntries, messagingLimits, phoneRules } from './limits.ts';
import { entryList, groupContents, groupSections, objectSections, paragraphs } from './reference-parts.ts';

/** The reference for people, made of the machine-readable description and of nothing else. */
export const referencePage = (document: OpenApi): string => {
  const { info, servers, components } = document;
  const server = servers[0]?.url ?? '';
  return layout({
    path: '/docs',
    title: info.title,
    contents: html`<ul>
<li><a href="#conventions">Conventions</a></li>
${groupContents(document)}
<li><a href="#limits">Limits</a></li>
<li><a href="#objects">Objects</a></li>
</ul>`,
    main: html`<section aria-labelledby="conventions">
<h2 id="conventions">Conventions</h2>
${paragraphs(info.description.split('\n\n'))}
<p>A field is required, or always there, unless it is called optional. Every path begins with <code>${server}</code>. The examples run in a shell that has <code>BASE_URL</code>, this host with <code>${server}</code>, and <code>API_KEY</code>.</p>
<h3>API keys</h3>
<p>Each key carries the scopes that it was granted. Three ways to send it are the same:</p>
<ul>${Object.values(components.securitySchemes).map(({ description }) => html`<li>${prose(description)}</li>\n`)}</ul>
<h3>Headers of answers</h3>
<dl>${Object.entries(components.headers).map(([name, { description, schema }]) => field(name, { ...schema, description }, true))}</dl>
</section>
${groupSections(document)}
<section aria-labelledby="limits">
<h2 id="limits">Limits</h2>
<p>Beyond the limits that stand at each field above:</p>
${entryList(limitEntries(messagingLimits))}
<p>${prose(phoneRules)}</p>
</section>
${objectSections(document)}`,
  });
};
