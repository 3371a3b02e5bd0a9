import { type Html, html } from '../../../shared/kit/html.ts';
import type { PhoneReply, StoredText } from '../emulators/phones-store.ts';
import { backLink, exactTime } from './frame.ts';

/** What a phone received and wrote, oldest first, and a box to write as the phone. */
export const conversationView = (phone: string, texts: readonly (StoredText | PhoneReply)[], search: string): Html => {
  const channel = texts.at(-1)?.channel ?? 'sms';
  return html`${backLink('phones', search)}
<header class="opening"><h1 tabindex="-1">${phone}</h1></header>
<ol id="texts" class="texts" data-live tabindex="0" aria-label="Conversation">${texts.map(textOf)}</ol>
<form id="reply" class="reply" method="post" action="/phones/${phone}/replies" aria-label="Reply as the phone">
<p id="reply-problem" class="notice bad" role="alert"></p>
<p class="actions">
<label class="channel">Reply by <select name="channel">${['sms', 'whatsapp'].map((one) => optionOf(one, one === channel))}</select></label>
${['STOP', 'START', 'HELP'].map((word) => html`<button name="word" value="${word}" formnovalidate>${word}</button>`)}
</p>
<p class="actions"><textarea name="text" rows="1" maxlength="1600" required aria-label="Text" placeholder="Write as the phone"></textarea>
<button class="primary">Send</button></p>
</form>`;
};

const optionOf = (channel: string, isChosen: boolean): Html =>
  html`<option${isChosen && html` selected`}>${channel}</option>`;

const textOf = (text: StoredText | PhoneReply): Html =>
  'status' in text
    ? html`<li id="text-${text.id}" class="received ${text.channel}"><p class="bubble"><bdi>${text.text}</bdi></p>
<p class="small quiet">${text.channel} from <bdi>${text.from}</bdi> · ${exactTime(text.at)} · ${statusOf(text.status)}</p></li>`
    : html`<li id="reply-${text.id}" class="written ${text.channel}"><p class="bubble"><bdi>${text.text}</bdi></p>
<p class="small quiet">${text.channel} from the phone · ${exactTime(text.at)}</p></li>`;

const kinds: Readonly<Record<string, string>> = {
  accepted: 'waiting',
  sent: 'good',
  delivered: 'good',
  read: 'good',
  failed: 'bad',
  rejected: 'bad',
};

const statusOf = (status: string): Html => html`<span class="status ${kinds[status] ?? ''}">${status}</span>`;
