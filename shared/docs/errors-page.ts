import { type FaultEntry, faults } from '../http/faults.ts';
import type { OpenApi } from './document.ts';
import { type Endpoint, endpointsOf } from './endpoints.ts';
import { type Html, html, joined, prose } from './html.ts';
import { layout } from './layout.ts';

/** What every code means: each `docsUrl` leads to its place here. */
export const errorsPage = (document: OpenApi): string => {
  const endpoints = endpointsOf(document);
  const entries = Object.entries(faults);
  return layout({
    title: 'Errors',
    nav: html`<ul>
<li><a href="/docs">API reference</a></li>
${entries.map(([code, { status }]) => html`<li><a href="#${code}"><code>${code}</code></a> ${status}</li>\n`)}</ul>`,
    main: html`${entries.map(([code, fault]) =>
      section(
        code,
        fault,
        endpoints.filter((endpoint) => mayRefuse(endpoint, code)),
      ),
    )}`,
  });
};

const section = (
  code: string,
  { status, condition, remedy, isTransient }: FaultEntry,
  endpoints: readonly Endpoint[],
): Html =>
  html`<section>
<h2 id="${code}"><code>${code}</code></h2>
<dl>
<div><dt>Status</dt><dd>${status}</dd></div>
<div><dt>When</dt><dd>${prose(condition)}</dd></div>
<div><dt>What mends it</dt><dd>${prose(remedy)}</dd></div>
<div><dt>Retry unchanged</dt><dd>${isTransient ? 'Yes, later.' : 'No.'}</dd></div>
${endpoints.length > 0 && html`<div><dt>Where</dt><dd>${joined(endpoints.map(link), ', ')}</dd></div>`}
</dl>
</section>
`;

const mayRefuse = ({ refusals }: Endpoint, code: string): boolean => refusals.some(({ codes }) => codes.includes(code));

const link = ({ method, path, operation }: Endpoint): Html =>
  html`<a href="/docs#${operation.operationId}"><code>${method} ${path}</code></a>`;
