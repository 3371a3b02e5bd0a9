import { type Html, html, prose } from '../kit/html.ts';
import { exampleHost } from './code/call.ts';
import type { OpenApi } from './document.ts';
import { endpointSection } from './endpoint-section.ts';
import { type Endpoint, endpointsOf } from './endpoints.ts';
import { fieldList } from './field-list.ts';

/** Paragraphs of CommonMark. */
export const paragraphs = (texts: readonly string[]): Html =>
  html`${texts.map((text) => html`<p>${prose(text)}</p>\n`)}`;

/** How to read the endpoints of an API. */
export const conventions = ({ servers }: OpenApi): Html => {
  const prefix = servers[0]?.url ?? '';
  const key = ' and, if you are signed in and have opened an account in the dashboard, a key of that account';
  return html`A request field is required, and a response field is always present, unless it is marked optional. Every path begins with <code>${prefix}</code>. Replace <code>${exampleHost}</code> and the key in the examples with yours. A browser that shows this page puts in its address${prefix !== '/admin/v1' && key}.`;
};

/** Names and their explanations, both CommonMark. */
export const entryList = (entries: readonly (readonly [name: string, text: string])[]): Html =>
  html`<dl>${entries.map(([name, text]) => html`<div><dt>${prose(name)}</dt><dd>${prose(text)}</dd></div>\n`)}</dl>`;

/** Names of the API and their explanations. */
export const codeList = (entries: readonly (readonly [name: string, text: string])[]): Html =>
  entryList(entries.map(([name, text]) => [`\`${name}\``, text]));

/** The endpoints of a document by subject. */
const groupsOf = (document: OpenApi): [tag: string, members: Endpoint[]][] =>
  Object.entries(Object.groupBy(endpointsOf(document), ({ operation }) => operation.tags.join())).map(
    ([tag, members = []]) => [tag, members],
  );

export const groupSections = (document: OpenApi): Html =>
  html`${groupsOf(document).map(
    ([tag, members]) => html`<section aria-labelledby="${tag.toLowerCase()}">
<h2 id="${tag.toLowerCase()}">${tag}</h2>
${callList(members)}${members.map(endpointSection)}</section>
`,
  )}`;

/** The calls of a section, to choose from. */
export const callList = (endpoints: readonly Endpoint[]): Html =>
  html`<ul class="calls">${endpoints.map(
    ({ method, server, path, operation }) =>
      html`<li><a href="#${operation.operationId}">${operation.summary}</a> <code>${method} ${server}${path}</code></li>\n`,
  )}</ul>
`;

/** The named schemas that fields refer to. */
export const objectSections = ({ components }: OpenApi): Html =>
  html`<section aria-labelledby="objects">
<h2 id="objects">Objects</h2>
${Object.entries(components.schemas).map(
  ([name, schema]) => html`<section><h3 id="${name}">${name}</h3>
<p>${prose(schema.description ?? '')}</p>
${fieldList(schema)}</section>
`,
)}</section>`;
