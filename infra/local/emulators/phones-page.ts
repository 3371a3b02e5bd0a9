import { page } from './inbox-page.ts';
import type { Routes } from './local-server.ts';
import { html } from './markup.ts';
import type { CaughtText, StoredText, TextStore } from './phones-store.ts';

const listLimit = 200;
const mostTexts = 100_000;
const refreshSeconds = 5;

/** Shows the sent texts as JSON and as a page. Texts are untrusted input. */
export const phonesRoutes = (store: Pick<TextStore, 'list'>): Routes => ({
  'GET /texts': () => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ texts: store.list(mostTexts).map(caughtOf) }),
  }),
  'GET /phones': () => {
    const texts = store.list(listLimit);
    const list = texts.length > 0 ? html`<ol class="mails">${texts.map(listEntry)}</ol>` : emptyPhones;
    return page('Phones', html`<h1>Phones</h1>${list}`, refreshSeconds);
  },
});

const caughtOf = ({ id, channel, to, from, text, messageId, status, at }: StoredText): CaughtText => ({
  id,
  channel,
  to,
  from,
  text,
  messageId,
  status,
  at,
});

const emptyPhones = html`<div class="sheet">
<p>No texts yet. Every sms and WhatsApp message that the simulator accepts appears here within seconds, newest first.</p>
<p>The last digits of the number decide the outcome: <code>0001</code> is refused, <code>0002</code> is accepted and then fails,
<code>0003</code> is accepted at the third attempt, <code>0004</code> is accepted and then rejected by the carrier.</p>
</div>`;

const listEntry = ({ channel, to, from, text, status, at }: StoredText) => {
  const local = new Date(at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
  return html`
<li class="sheet">
<p><bdi>${text}</bdi></p>
<span>${channel} to <bdi>${to}</bdi>, from <bdi>${from}</bdi>, ${status}</span>
<time datetime="${at}">${local}</time>
</li>`;
};
