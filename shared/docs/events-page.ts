import { type Html, html, prose } from '../kit/html.ts';
import { surplus } from './checkout-guide.ts';
import { jsonBlock } from './code/block.ts';
import { checkoutDeliveries, type Delivery, messagingDeliveries } from './deliveries.ts';
import type { DocsPage } from './docs-page.ts';

/** Every event of both APIs with its whole delivery, from what the code sends. */
export const eventsPage = (): DocsPage => ({
  path: '/docs/events',
  title: 'All events',
  summary: 'Every webhook event of both APIs: when it is sent, its headers and its whole payload.',
  main: html`<p class="lead">Each event is an HTTP POST with a JSON body to the URLs that subscribe to it. <a href="/docs/receiving">Receive and verify</a> shows how to check that a delivery is genuine.</p>
<h2 id="messaging">Messaging</h2>
<p>Only messages that were sent through the API have events, and so do <a href="/docs/refunds#receipts">receipts</a> of payments. The message in an event is as it was at that time, with its <code>metadata</code>.</p>
${messagingDeliveries.map(section)}
<h2 id="checkout">Hosted checkout</h2>
<p>${surplus}</p>
${checkoutDeliveries.map(section)}`,
});

const section = ({ event, when, example, headers }: Delivery): Html => html`<section>
<h3 id="${event}"><code>${event}</code></h3>
<p>${prose(when)}</p>
${jsonBlock(example, `The payload of ${event}`)}
<details><summary>Headers of this delivery</summary>
<p>The values show the form. Ids, times and signatures are those of the sample in <a href="/docs/receiving">Receive and verify</a>, not of the payload above.</p>
<dl>${headers.map(({ name, description, example: value }) => html`<div><dt><code>${name}${value !== undefined && `: ${String(value)}`}</code></dt><dd>${prose(description ?? '')}</dd></div>\n`)}</dl>
</details>
</section>
`;
