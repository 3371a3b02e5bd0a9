import { usualSubscriptions } from '../accounts/account.ts';
import { type Html, html, prose } from '../kit/html.ts';
import { codeBlock, codeTabs } from './code/block.ts';
import type { DocsPage } from './docs-page.ts';
import type { OpenApi } from './document.ts';
import { endpointSection } from './endpoint-section.ts';
import { endpointsOf } from './endpoints.ts';
import * as guide from './messaging-guide.ts';
import { callList, conventions, entryList, objectSections, paragraphs } from './reference-parts.ts';
import { signatureVector, verifyNotes, verifySnippets } from './verify-snippets.ts';

/** The guarantees of deliveries, for both APIs. */
export const deliveryRules =
  'A response with status 200 to 299 within 10 seconds ends a delivery. Anything else, including a redirect, is retried after 5 seconds, 1 minute, 5 minutes and 30 minutes: five attempts in total. The order of events is not guaranteed, and the same event may arrive more than once.';

const { secret, body, headers } = signatureVector;

/** How a receiver verifies a delivery, with an example delivery, and the endpoints of subscriptions. */
export const webhooksPage = (document: OpenApi): DocsPage => ({
  path: '/docs/webhooks',
  title: document.info.title,
  summary: 'Manage subscriptions; what a delivery has, how it is signed and when it is retried.',
  isWide: true,
  main: html`<section>
<h2 id="events">Events</h2>
${entryList(guide.events)}
${paragraphs(guide.eventRules)}
</section>
<section>
<h2 id="deliveries">Deliveries</h2>
<p>${deliveryRules}</p>
<p>A target that answers quickly gets many deliveries at once: 4 at first, one more for each answer within half a second, and up to 80, which is at least 300 deliveries a second to a target that answers within 100 milliseconds. When an answer takes over a second, the number is halved, and the target gets few deliveries at a time until it is quick again. So answer first, and process the event afterwards.</p>
<p>While a subscription is paused, nothing is queued or delivered. Pausing it also cancels its pending deliveries: they become <code>cancelled</code>, count in neither total, and are not delivered when the subscription is resumed. <code>POST /webhooks/{id}/replay</code> delivers again what happened in the last 30 days, also what the subscription never received.
A subscription with an empty list of events receives nothing.</p>
<p>A subscription whose deliveries have all failed for 5 days is paused, and the account’s admins are notified by email. A receiver can also catch up on its own: <code>GET /events</code> lists every event of the last 30 days in the order in which it was written.</p>
<p>An account can have ${usualSubscriptions} subscriptions; an operator can raise that to 100.</p>
<p>Deliveries of the hosted checkout are <a href="/docs/checkout#verifying">signed differently</a>.</p>
</section>
<section>
<h2 id="verifying">Verifying a delivery</h2>
${notes()}
${codeTabs(verifySnippets)}
<p>Each function is tested against the sample delivery below, with right and wrong signatures.</p>
</section>
<section>
<h2 id="vector">A sample delivery</h2>
<dl>
<div><dt>Secret</dt><dd><code>${secret}</code></dd></div>
${Object.entries(headers).map(([name, value]) => html`<div><dt>${name}</dt><dd><code>${value}</code></dd></div>\n`)}
</dl>
<h3>Body</h3>
${codeBlock(body, 'json', 'Body')}
</section>
<section>
<h2 id="endpoints">Endpoints</h2>
${paragraphs(document.info.description.split('\n\n'))}
<p>${conventions(document)}</p>
${callList(endpointsOf(document))}${endpointsOf(document).map(endpointSection)}
</section>
${objectSections(document)}`,
});

/** The notes contain paragraphs and one list; the README sets their link targets. */
const notes = (): Html[] =>
  verifyNotes
    .trim()
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .split('\n\n')
    .map((block) =>
      block.startsWith('- ')
        ? html`<ul>${block.split('\n').map((line) => html`<li>${prose(line.slice(2))}</li>\n`)}</ul>`
        : html`<p>${prose(block)}</p>`,
    );
