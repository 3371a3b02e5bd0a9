import { type FaultEntry, faults } from '../http/faults.ts';
import { type Html, html, joined, prose } from '../kit/html.ts';
import type { DocsPage } from './docs-page.ts';
import type { Endpoint } from './endpoints.ts';
import { platformAnswers, sizeLimits } from './platform.ts';

interface PlacedEndpoint extends Endpoint {
  /** The page that documents it. */
  readonly page: string;
}

/** Explains every code: each `docsUrl` links to its section here. */
export const errorsPage = (endpoints: readonly PlacedEndpoint[]): DocsPage => ({
  path: '/docs/errors',
  title: 'Error codes',
  summary: 'Every error code: when it occurs, how to fix it, whether to retry.',
  main: html`<p>Branch on the code: codes are only ever added. <a href="/docs/retries">Errors and retries</a> shows the shape of an error and how to retry.</p>
<table>
<thead><tr><th>Status</th><th>Code</th></tr></thead>
<tbody>${[...Map.groupBy(Object.entries(faults), ([, { status }]) => status)]
    .toSorted(([one], [other]) => one - other)
    .map(
      ([status, those]) =>
        html`<tr><td>${status}</td><td>${joined(
          those.map(([code]) => html`<a href="#${code}"><code>${code}</code></a>`),
          ', ',
        )}</td></tr>\n`,
    )}</tbody>
</table>
${Object.entries(faults).map(([code, fault]) =>
  section(
    code,
    fault,
    endpoints.filter((endpoint) => mayRefuse(endpoint, code)),
  ),
)}
<section>
<h2 id="api-gateway">API Gateway’s own responses</h2>
<p>API Gateway sends these responses itself. They have a <code>message</code>, but no <code>error</code>, no <code>code</code> and no header <code>Retry-After</code>. The header <code>Apigw-Requestid</code> identifies the request. The local stack sends the same responses. Only a body of 10 to 32 MB reaches the API itself there, which rejects it with an error code; with <code>--aws-limits</code>, the stack rejects it as API Gateway does.</p>
<p>${prose(sizeLimits)}</p>
<dl>${platformAnswers.map(
    ({ status, body, condition, remedy }) =>
      html`<div><dt>${status} <code>${body}</code></dt><dd>${prose(condition)} ${prose(remedy)}</dd></div>\n`,
  )}</dl>
</section>`,
});

const section = (
  code: string,
  { status, condition, onCheckout, onAdmin, remedy, isTransient }: FaultEntry,
  endpoints: readonly PlacedEndpoint[],
): Html =>
  html`<section>
<h2 id="${code}"><code>${code}</code></h2>
<dl>
<div><dt>Status</dt><dd>${status}</dd></div>
<div><dt>When</dt><dd>${prose(condition)}${onCheckout && html` On the checkout API: ${prose(lower(onCheckout))}`}${onAdmin && html` On the admin API: ${prose(lower(onAdmin))}`}</dd></div>
<div><dt>How to fix it</dt><dd>${prose(remedy)}</dd></div>
<div><dt>Retry unchanged</dt><dd>${isTransient ? 'Yes, later.' : 'No.'}</dd></div>
${endpoints.length > 0 && html`<div><dt>Where</dt><dd>${joined(endpoints.map(link), ', ')}</dd></div>`}
</dl>
</section>
`;

/** A sentence, after a colon. */
const lower = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1);

const mayRefuse = ({ refusals }: Endpoint, code: string): boolean => refusals.some(({ codes }) => codes.includes(code));

const link = ({ page, method, server, path, operation }: PlacedEndpoint): Html =>
  html`<a href="${page}#${operation.operationId}"><code>${method} ${server}${path}</code></a>`;
