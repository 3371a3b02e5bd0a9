import type { OpenApi } from './document.ts';
import { endpointSection } from './endpoint-section.ts';
import { type Endpoint, endpointsOf } from './endpoints.ts';
import { field, fieldList } from './field-list.ts';
import { html, prose } from './html.ts';
import { layout } from './layout.ts';

/** The reference for people, made of the machine-readable description and of nothing else. */
export const referencePage = (document: OpenApi): string => {
  const { info, servers, components } = document;
  const server = servers[0]?.url ?? '';
  const groups = Object.entries(Object.groupBy(endpointsOf(document), ({ operation }) => operation.tags.join()));
  const contents = ({ method, path, operation }: Endpoint) =>
    html`<li><a href="#${operation.operationId}"><code>${method} ${path}</code></a></li>\n`;

  return layout({
    title: info.title,
    nav: html`<ul>
<li><a href="#conventions">Conventions</a></li>
${groups.map(([tag, members = []]) => html`<li>${tag}<ul>${members.map(contents)}</ul></li>\n`)}
<li><a href="#objects">Objects</a></li>
<li><a href="/docs/errors">Errors</a></li>
<li><a href="/docs/webhooks">Webhooks</a></li>
</ul>`,
    main: html`<section aria-labelledby="conventions">
<h2 id="conventions">Conventions</h2>
${info.description.split('\n\n').map((paragraph) => html`<p>${prose(paragraph)}</p>\n`)}
<p>A field is required, or always there, unless it is called optional. Every path begins with <code>${server}</code>. The examples run in a shell that has <code>BASE_URL</code>, this host with <code>${server}</code>, and <code>API_KEY</code>.</p>
<h3>API keys</h3>
<p>Each key carries the scopes that it was granted. Three ways to send it are the same:</p>
<ul>${Object.values(components.securitySchemes).map(({ description }) => html`<li>${prose(description)}</li>\n`)}</ul>
<h3>Headers of answers</h3>
<dl>${Object.entries(components.headers).map(([name, { description, schema }]) => field(name, { ...schema, description }, true))}</dl>
</section>
${groups.map(
  ([tag, members = []]) => html`<section aria-labelledby="${tag.toLowerCase()}">
<h2 id="${tag.toLowerCase()}">${tag}</h2>
${members.map((endpoint) => endpointSection(server, endpoint))}</section>
`,
)}
<section aria-labelledby="objects">
<h2 id="objects">Objects</h2>
${Object.entries(components.schemas).map(
  ([name, schema]) => html`<section><h3 id="${name}">${name}</h3>
<p>${prose(schema.description ?? '')}</p>
${fieldList(schema)}</section>
`,
)}</section>`,
  });
};
