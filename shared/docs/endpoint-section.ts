import { type Html, html, prose } from '../kit/html.ts';
import { codeTabs, jsonBlock } from './code/block.ts';
import { callOf } from './code/call.ts';
import { samplesOf } from './code/samples.ts';
import type { Media } from './document.ts';
import type { Endpoint } from './endpoints.ts';
import { field, fieldList, objectsIn } from './field-list.ts';
import { reasonIn } from './refusals.ts';

/** Everything about one endpoint: the text, and its code beside it. */
export const endpointSection = (endpoint: Endpoint): Html => {
  const { method, server, path, operation, key, scope, parameters, body, successes, refusals } = endpoint;
  const { operationId, summary, description } = operation;
  return html`<section class="endpoint">
<h3 id="${operationId}">${summary}</h3>
<p><code>${method} ${server}${path}</code>${scope && html`, scope <code>${scope}</code>`}${!key && ', without a key'}</p>
<div class="prose">
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
${successes.map(
  ({ status, response: { description: title, content } }) => html`<h4>Response ${status} ${title}</h4>
${content ? fieldList(content['application/json'].schema) : html`<p>No body.</p>`}`,
)}
<h4>Errors</h4>
<ul>${refusals.flatMap(({ status, codes, reasons }) => codes.map((code) => html`<li>${status} ${codeLink(code)}: ${reasonOf(code, status, reasons)}</li>\n`))}</ul>
</div>
<div class="shown">
<h4>Example</h4>
${codeTabs(samplesOf(callOf(endpoint)))}
${successes.map(({ status, response: { content } }) => content && exampleOf(status, content['application/json']))}
</div>
</section>
`;
};

const exampleOf = (status: string, { example }: Media): Html | false =>
  example !== undefined && html`<p class="label">Response ${status}</p>${jsonBlock(example, `Response ${status}`)}`;

const codeLink = (code: string): Html => html`<a href="/docs/errors#${code}"><code>${code}</code></a>`;

const reasonOf = (code: string, status: string, reasons: string): Html =>
  status === '503' ? html`The service is temporarily unavailable.` : prose(reasonIn(reasons, code));
