import { type Html, html, prose } from '../kit/html.ts';
import * as guide from './checkout-guide.ts';
import { codeBlock, codeTabs, jsonBlock } from './code/block.ts';
import type { DocsPage } from './docs-page.ts';
import type { OpenApi } from './document.ts';
import { endpointSection } from './endpoint-section.ts';
import { endpointsOf } from './endpoints.ts';
import { checkoutLimits, limitEntries } from './limits.ts';
import { callList, codeList, conventions, entryList, objectSections, paragraphs } from './reference-parts.ts';
import { checkoutSnippets, checkoutVector } from './verify-checkout.ts';
import { deliveryRules } from './webhooks-page.ts';

/** The hosted checkout's page for merchants' developers: the calls with and without a key, and the guide. */
export const checkoutPage = (keyed: OpenApi, keyless: OpenApi): DocsPage => ({
  path: '/docs/checkout',
  title: keyed.info.title,
  summary: 'Create a session, redirect the payer to its page, receive a signed webhook; payments and refunds.',
  isWide: true,
  main: html`${section(
    'flow',
    'The flow',
    html`${paragraphs(keyed.info.description.split('\n\n'))}
<ol>${guide.steps.map(item)}</ol>`,
  )}
${section('keys', 'Keys', html`<p>Send the key as <code>Authorization: Bearer</code>. The key decides between test and live mode; there is no other switch.</p>${codeList(guide.keys)}`)}
${section(
  'endpoints',
  'Endpoints',
  html`<p>${conventions(keyed)} Web pages may create sessions with a publishable key, and call the endpoints that need no key; everything else is for your server.</p>
${callList([keyed, keyless].flatMap(endpointsOf))}${[keyed, keyless].flatMap(endpointsOf).map(endpointSection)}`,
)}
${section('states', 'States', html`<h3>Session: <code>status</code></h3>${codeList(guide.sessionMoves)}<h3>Latest payment: <code>paymentStatus</code></h3>${codeList(guide.paymentMoves)}`)}
${section('return-addresses', 'Return URLs', paragraphs(guide.returnAddresses))}
${section('test-mode', 'Test mode', testMode)}
${section('webhooks', 'Webhooks', webhooks)}
${section('verifying', 'Verifying a delivery', verifying)}
${section('limits', 'Limits', html`${entryList(guide.limits)}${entryList(limitEntries(checkoutLimits))}`)}
${objectSections(keyed)}`,
});

const section = (id: string, title: string, content: Html): Html =>
  html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${content}</section>
`;

const item = (text: string): Html => html`<li>${prose(text)}</li>\n`;

const testMode = html`<p>With a test key, the exact <code>amountMinor</code> decides the outcome of a payment:</p>
${codeList(guide.outcomes)}
<h3>Injecting faults</h3>
<p>You can set one of these on a test session before it is paid, with <a href="/docs/admin#setChaos"><code>PUT /admin/v1/checkout-sessions/{id}/chaos</code></a>:</p>
${codeList(guide.chaos)}`;

const webhooks = html`<p>Owners and developers of the account register your URL with the events that you subscribe to, get the signing secret, which is shown once, and can deliver missed events again. ${deliveryRules}</p>
<h3>Headers</h3>
${codeList(guide.webhookHeaders)}
<h3>Events</h3>
${guide.events.map(({ name, when, body }) => html`<h4 id="${name}"><code>${name}</code></h4>\n<p>${prose(when)}</p>\n${jsonBlock(JSON.parse(body), name)}\n`)}
<p>${guide.surplus}</p>
<h3>What your receiver must do</h3>
<ul>${guide.receiverRules.map(item)}</ul>`;

const { secret, body, headers } = checkoutVector;

const verifying = html`${codeTabs(checkoutSnippets)}
<h3>A sample delivery</h3>
${codeList([['Secret', `\`${secret}\``], ...Object.entries(headers).map(([name, value]) => [name, `\`${value}\``] as const)])}
<h4>Body</h4>
${codeBlock(body, 'json', 'Body')}`;
