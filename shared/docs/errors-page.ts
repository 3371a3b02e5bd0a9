import { type FaultEntry, faults } from '../http/faults.ts';
import { type Html, html, joined, prose } from '../kit/html.ts';
import type { Endpoint } from './endpoints.ts';
import { layout } from './layout.ts';
import { platformAnswers, sizeLimits } from './platform.ts';

interface PlacedEndpoint extends Endpoint {
  /** The page that documents it. */
  readonly page: string;
}

/** Explains every code: each `docsUrl` links to its section here. */
export const errorsPage = (endpoints: readonly PlacedEndpoint[]): string => {
  const entries = Object.entries(faults);
  return layout({
    path: '/docs/errors',
    title: 'Errors',
    contents: html`<ul>
${entries.map(([code, { status }]) => html`<li><a href="#${code}"><code>${code}</code></a> ${status}</li>\n`)}
<li><a href="#api-gateway">API Gateway’s own responses</a></li>
</ul>`,
    main: html`${entries.map(([code, fault]) =>
      section(
        code,
        fault,
        endpoints.filter((endpoint) => mayRefuse(endpoint, code)),
      ),
    )}
<section>
<h2 id="api-gateway">API Gateway’s own responses</h2>
<p>API Gateway sends these responses itself. They have a <code>message</code>, but no <code>error</code> and no <code>code</code>. The header <code>Apigw-Requestid</code> identifies the request. The local stack sends the same responses.</p>
<p>${prose(sizeLimits)}</p>
<dl>${platformAnswers.map(
      ({ status, body, condition, remedy }) =>
        html`<div><dt>${status} <code>${body}</code></dt><dd>${prose(condition)} ${prose(remedy)}</dd></div>\n`,
    )}</dl>
</section>`,
  });
};

const section = (
  code: string,
  { status, condition, elsewhere, remedy, isTransient }: FaultEntry,
  endpoints: readonly PlacedEndpoint[],
): Html =>
  html`<section>
<h2 id="${code}"><code>${code}</code></h2>
<dl>
<div><dt>Status</dt><dd>${status}</dd></div>
<div><dt>When</dt><dd>${prose(condition)}${elsewhere && html` ${prose(elsewhere)}`}</dd></div>
<div><dt>How to fix it</dt><dd>${prose(remedy)}</dd></div>
<div><dt>Retry unchanged</dt><dd>${isTransient ? 'Yes, later.' : 'No.'}</dd></div>
${endpoints.length > 0 && html`<div><dt>Where</dt><dd>${joined(endpoints.map(link), ', ')}</dd></div>`}
</dl>
</section>
`;

const mayRefuse = ({ refusals }: Endpoint, code: string): boolean => refusals.some(({ codes }) => codes.includes(code));

const link = ({ page, method, server, path, operation }: PlacedEndpoint): Html =>
  html`<a href="${page}#${operation.operationId}"><code>${method} ${server}${path}</code></a>`;
