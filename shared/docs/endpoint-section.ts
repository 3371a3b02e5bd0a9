import { curlOf } from './curl.ts';
import type { Endpoint } from './endpoints.ts';
import { field, fieldList } from './field-list.ts';
import { type Html, html, joined, prose } from './html.ts';

/** Everything about one endpoint. */
export const endpointSection = (server: string, endpoint: Endpoint): Html => {
  const { method, path, operation, scope, parameters, body, successes, refusals } = endpoint;
  const { operationId, summary, description } = operation;
  return html`<section>
<h3 id="${operationId}">${summary}</h3>
<p><code>${method} ${server}${path}</code>, scope <code>${scope}</code></p>
${description && html`<p>${prose(description)}</p>`}
${
  parameters.length > 0 &&
  html`<h4>Parameters</h4>
<dl>${parameters.map(({ name, schema, description: text, required }) => field(name, { ...schema, description: text }, required))}</dl>`
}
${
  body &&
  html`<h4>Body</h4>
<p>${prose(body.schema.description ?? '')}</p>
${fieldList(body.schema)}`
}
<h4>Example</h4>
<pre>${curlOf(endpoint)}</pre>
${successes.map(
  ({ status, response: { description: title, content } }) => html`<h4>Answer ${status} ${title}</h4>
${content ? html`${fieldList(content['application/json'].schema)}<pre>${JSON.stringify(content['application/json'].example, null, 2)}</pre>` : html`<p>Without a body.</p>`}`,
)}
<h4>Refusals</h4>
<ul>${refusals.map(({ status, codes }) => html`<li>${status} ${joined(codes.map(codeLink), ', ')}</li>\n`)}</ul>
</section>
`;
};

const codeLink = (code: string): Html => html`<a href="/docs/errors#${code}"><code>${code}</code></a>`;
