import { type Html, html, joined, prose } from '../kit/html.ts';
import { curlOf } from './curl.ts';
import type { Media } from './document.ts';
import type { Endpoint } from './endpoints.ts';
import { field, fieldList, objectsIn } from './field-list.ts';

/** Everything about one endpoint. */
export const endpointSection = (endpoint: Endpoint): Html => {
  const { method, server, path, operation, key, scope, parameters, body, successes, refusals } = endpoint;
  const { operationId, summary, description } = operation;
  return html`<section>
<h3 id="${operationId}">${summary}</h3>
<p><code>${method} ${server}${path}</code>${scope && html`, scope <code>${scope}</code>`}${!key && ', without a key'}</p>
${description && html`<p>${prose(description)}</p>`}
${
  parameters.length > 0 &&
  html`<h4>Parameters</h4>
<dl>${parameters.map(({ name, schema, description: text, required }) => field(name, { ...schema, description: text }, required))}</dl>`
}
${
  body &&
  html`<h4>Body</h4>
<p>${prose(body.schema.description ?? (body.schema.items ? 'An array of objects:' : ''))}</p>
${objectsIn(body.schema).map(fieldList)}`
}
<h4>Example</h4>
<pre>${curlOf(endpoint)}</pre>
${successes.map(
  ({ status, response: { description: title, content } }) => html`<h4>Response ${status} ${title}</h4>
${content ? answer(content['application/json']) : html`<p>No body.</p>`}`,
)}
<h4>Errors</h4>
<ul>${refusals.map(({ status, codes }) => html`<li>${status} ${joined(codes.map(codeLink), ', ')}</li>\n`)}</ul>
</section>
`;
};

const answer = ({ schema, example }: Media): Html =>
  html`${fieldList(schema)}${example !== undefined && html`<pre>${JSON.stringify(example, null, 2)}</pre>`}`;

const codeLink = (code: string): Html => html`<a href="/docs/errors#${code}"><code>${code}</code></a>`;
