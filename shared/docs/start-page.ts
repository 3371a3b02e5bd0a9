import { html, prose } from '../kit/html.ts';
import { type DocsPath, layout } from './layout.ts';

/** A page and its summary. CommonMark. */
const entries: readonly (readonly [path: DocsPath, name: string, text: string])[] = [
  [
    '/docs',
    'Messaging API',
    'Send email, sms and whatsapp messages; manage contacts and templates; read analytics. Header `X-API-Key`.',
  ],
  [
    '/docs/additions',
    'More of messaging',
    'Change, archive and preview templates, and more. Same keys, same conventions.',
  ],
  [
    '/docs/checkout',
    'Hosted checkout API',
    'Create a session, redirect the payer to its page, receive a signed webhook.',
  ],
  ['/docs/webhooks', 'Webhooks', 'Messaging webhooks: how to verify a delivery, with code in four languages.'],
  ['/docs/errors', 'Errors', 'Every error code: when it occurs, how to fix it, whether to retry.'],
  ['/docs/admin', 'Admin API', 'For operators: accounts, keys, credits, payment methods, refunds.'],
  ['/docs/runbook', 'Runbook', 'For operators: what each alarm means, what to look at and what to run.'],
];

const documents = [
  ['/api/v1/openapi.json', 'Messaging: the endpoints of its specification.'],
  ['/api/v1/openapi-full.json', 'Messaging in full: with the additions, webhooks and their deliveries.'],
  ['/v1/openapi.json', 'The hosted checkout and its deliveries.'],
] as const;

/** The page at `/`. */
export const startPage = (): string =>
  layout({
    path: '/',
    title: 'Messaging and checkout',
    contents: html``,
    main: html`<p>Two HTTPS APIs: messages by email, sms and whatsapp, and a hosted checkout page.</p>
<dl>${entries.map(([path, name, text]) => html`<div><dt><a href="${path}">${name}</a></dt><dd>${prose(text)}</dd></div>\n`)}
</dl>
<h2>OpenAPI 3.1</h2>
<p>Machine-readable descriptions. That of the admin API is at <code>/admin/v1/openapi.json</code>, for operators.</p>
<dl>${documents.map(([path, text]) => html`<div><dt><a href="${path}"><code>${path}</code></a></dt><dd>${prose(text)}</dd></div>\n`)}</dl>`,
  });
