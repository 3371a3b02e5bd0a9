import { type Html, html, prose } from '../kit/html.ts';
import type { OpenApi } from './document.ts';
import { endpointSection } from './endpoint-section.ts';
import { type Endpoint, endpointsOf } from './endpoints.ts';
import { fieldList } from './field-list.ts';

/** Paragraphs of CommonMark. */
export const paragraphs = (texts: readonly string[]): Html =>
  html`${texts.map((text) => html`<p>${prose(text)}</p>\n`)}`;

/** Names and their explanations, both CommonMark. */
export const entryList = (entries: readonly (readonly [name: string, text: string])[]): Html =>
  html`<dl>${entries.map(([name, text]) => html`<div><dt>${prose(name)}</dt><dd>${prose(text)}</dd></div>\n`)}</dl>`;

/** Links to endpoints of the same page. */
export const contentsOf = (endpoints: readonly Endpoint[]): Html =>
  html`<ul>${endpoints.map(({ method, server, path, operation }) => html`<li><a href="#${operation.operationId}"><code>${method} ${server}${path}</code></a></li>\n`)}</ul>`;

/** The endpoints of a document by subject. */
const groupsOf = (document: OpenApi): [tag: string, members: Endpoint[]][] =>
  Object.entries(Object.groupBy(endpointsOf(document), ({ operation }) => operation.tags.join())).map(
    ([tag, members = []]) => [tag, members],
  );

/** Table of contents for a page with a section per group of this document. */
export const groupContents = (document: OpenApi): Html =>
  html`${groupsOf(document).map(([tag, members]) => html`<li>${tag}${contentsOf(members)}</li>\n`)}`;

export const groupSections = (document: OpenApi): Html =>
  html`${groupsOf(document).map(
    ([tag, members]) => html`<section aria-labelledby="${tag.toLowerCase()}">
<h2 id="${tag.toLowerCase()}">${tag}</h2>
${members.map(endpointSection)}</section>
`,
  )}`;

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
