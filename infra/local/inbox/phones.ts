import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { type Html, html } from '../../../shared/kit/html.ts';
import { jsonReply, type Reply, type Request, type Routes } from '../emulators/local-server.ts';
import type { CaughtText, PhoneEntry, StoredText, TextStore } from '../emulators/phones-store.ts';
import type { Inbound } from '../inbound.ts';
import { accountOf } from './account-of-text.ts';
import { conversationView } from './conversation.ts';
import { current, inboxPage, searchIn, shortTime, tabs, unlessSeen, withSearch } from './frame.ts';

const listLimit = 200;
const mostTexts = 100_000;

/** Hands a phone's text to an account, or to the demo account; returns the status of the API's answer. */
export type TakeReply = (inbound: Inbound, accountId: string | undefined) => Promise<number>;

type Texts = Pick<TextStore, 'list' | 'phones' | 'conversation' | 'addReply' | 'version'>;

/** The caught texts as JSON, and as one conversation for each phone, which can be answered. Texts are untrusted input. */
export const phoneRoutes = (store: Texts, takeReply: TakeReply): Routes => {
  const pageWith = (request: Request, phone?: string): Reply => {
    const search = searchIn(request);
    const phones = store.phones(search.split(/\s+/).filter(Boolean), listLimit);
    return inboxPage({
      tab: 'phones',
      title: phone ?? 'Phones',
      entries: phones.map((entry) => entryOf(entry, { search, isOpen: entry.phone === phone })),
      note: noteOn(phones.length, search),
      search,
      path: phone === undefined ? tabs.phones.path : `/phones/${phone}`,
      opened: phone === undefined ? undefined : conversationView(phone, store.conversation(phone, listLimit), search),
      empty: phones.length === 0 && search === '' ? emptyPhones : nothingOpen,
    });
  };

  return {
    'GET /texts': () => jsonReply(200, { texts: store.list(mostTexts).map(caughtOf) }),

    'GET /phones': (request) => {
      const { data: number } = phoneNumber.safeParse(request.query.get('number')?.replaceAll(/[\s()-]/g, ''));
      if (number) return { status: 303, headers: { location: `/phones/${number}` } };
      return unlessSeen(request, store.version(), () => pageWith(request));
    },

    'GET /phones/{number}': (request, number) =>
      phoneNumber.safeParse(number).success
        ? unlessSeen(request, store.version(), () => pageWith(request, number))
        : noSuchPhone,

    'POST /phones/{number}/replies': async (request, number) => {
      if (!phoneNumber.safeParse(number).success) return noSuchPhone;
      const form = new URLSearchParams(await request.body());
      const { data } = replyForm.safeParse({
        channel: form.get('channel'),
        text: form.get('word') ?? form.get('text'),
      });
      if (!data) return { status: 400, body: 'Write a text of up to 1,600 characters, by sms or whatsapp.' };
      const { channel, text } = data;
      const at = new Date().toISOString();
      const account = form.get('account') ?? store.conversation(number, listLimit).flatMap(accountOf(channel)).at(-1);
      const status = await takeReply({ channel, from: number, text }, account).catch(() => undefined);
      if (status === undefined) return { status: 502, body: 'The API cannot be reached yet. Try again in a moment.' };
      if (status !== 200) return { status: 502, body: `The API answered ${status}. Its log says why.` };
      const id = randomBytes(9).toString('base64url');
      store.addReply({ id, channel, from: number, text, at });
      return { status: 303, headers: { location: `/phones/${number}` } };
    },
  };
};

const phoneNumber = z.string().regex(/^\+\d{7,15}$/);
const noSuchPhone: Reply = { status: 404, body: 'A phone is as in +8801700000000.' };
const replyForm = z.object({ channel: z.enum(['sms', 'whatsapp']), text: z.string().trim().min(1).max(1_600) });

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

const noteOn = (count: number, search: string): string => {
  if (count === listLimit) return `The latest ${listLimit} are listed. Search finds the others.`;
  if (search !== '' && count === 0) return 'No text contains these words.';
  return count === 0 ? 'No texts yet.' : '';
};

const openPhone = html`<form class="open-phone" action="/phones">
<label for="number">Write as a phone, for example to open whatsapp’s 24-hour window</label>
<p class="actions"><input id="number" name="number" type="tel" required pattern="\\+[0-9 \\(\\)\\-]{7,20}" placeholder="+8801700000000" autocomplete="off">
<button>Open phone</button></p>
</form>`;

const emptyPhones = html`<div class="empty">
<p class="title">No texts yet</p>
<p>Every sms and whatsapp message that the simulator accepts appears here at once. The last digits of the number decide the outcome:</p>
<p><code>0001</code> is refused, <code>0002</code> is accepted and then fails, <code>0003</code> is accepted at the third attempt,
<code>0004</code> is accepted and then rejected by the carrier. Any other phone receives it.</p>
${openPhone}</div>`;

const nothingOpen = html`<div class="empty">
<p class="title wide-only">Choose a phone</p>
<p class="wide-only">Arrow keys move through the list, <kbd>/</kbd> leads to the search.</p>
${openPhone}</div>`;

interface Listed {
  readonly search: string;
  readonly isOpen: boolean;
}

const entryOf = ({ phone, channel, text, isReply, at }: PhoneEntry, { search, isOpen }: Listed): Html => html`
<li id="phone-${phone.slice(1)}"><a data-in-place href="${withSearch(`/phones/${phone}`, search)}"${isOpen && current}>
<span class="line"><strong>${phone}</strong>${shortTime(at)}</span>
<span class="preview quiet">${channel}${isReply ? ' from the phone' : ''}: <bdi>${text}</bdi></span>
</a></li>`;
