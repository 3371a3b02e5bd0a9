import { html, prose } from '../kit/html.ts';
import type { DocsPage } from './docs-page.ts';
import { siteMap } from './site-map.ts';

/** What a newcomer is shown first. */
const doors = [
  ['/docs/quick-start', 'Quick start', 'Send a first message and take a first test payment, in five minutes.'],
  ['/docs', 'Messaging API', 'Send email, sms and whatsapp from one endpoint. Header `X-API-Key`.'],
  ['/docs/checkout', 'Hosted checkout API', 'Create a session, redirect the payer, receive a signed webhook.'],
  ['/docs/receiving', 'Webhooks', 'Verify deliveries in five languages; catch up after an outage.'],
  ['/docs/errors', 'Errors', 'Every error code: when it occurs, how to fix it, whether to retry.'],
  ['/docs/testing', 'Testing', 'Recipients and amounts that make each outcome happen.'],
] as const;

const documents = [
  ['/api/v1/openapi.json', 'Messaging: the endpoints of its specification.'],
  ['/api/v1/openapi-full.json', 'Messaging in full: with the additions, webhooks and their deliveries.'],
  ['/v1/openapi.json', 'The hosted checkout and its deliveries.'],
] as const;

/** The page at `/`. */
export const overviewPage = (others: readonly DocsPage[]): DocsPage => ({
  path: '/',
  title: 'Messaging and checkout',
  summary: 'Two HTTPS APIs: messages by email, sms and whatsapp, and a hosted checkout page.',
  main: html`<p class="lead">Two HTTPS APIs: messages by email, sms and whatsapp, and a hosted checkout page.</p>
<ul class="doors">${doors.map(([path, name, text]) => html`<li><a href="${path}">${name}</a><p>${prose(text)}</p></li>\n`)}</ul>
${Object.entries<Readonly<Record<string, string>>>(siteMap).map(
  ([group, pages]) => html`<h2 id="${group.toLowerCase().replaceAll(' ', '-')}">${group}</h2>
<dl>${others
    .filter(({ path }) => path in pages)
    .map(
      ({ path, summary }) => html`<div><dt><a href="${path}">${pages[path]}</a></dt><dd>${prose(summary)}</dd></div>\n`,
    )}</dl>
`,
)}
<h2 id="openapi">OpenAPI 3.1</h2>
<p>Machine-readable descriptions. That of the admin API is at <code>/admin/v1/openapi.json</code>, for operators. <code>shared/client</code> in the sources is a typed client of the three APIs in TypeScript. All pages are listed for language models in <a href="/docs/llms.txt">llms.txt</a>; each is also there as Markdown.</p>
<dl>${documents.map(([path, text]) => html`<div><dt><a href="${path}"><code>${path}</code></a></dt><dd>${prose(text)}</dd></div>\n`)}</dl>`,
});
