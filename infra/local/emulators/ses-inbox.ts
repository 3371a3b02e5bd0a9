import { page } from './inbox-page.ts';
import type { Reply, Routes } from './local-server.ts';
import { html, type Markup } from './markup.ts';
import type { MailAttachment } from './ses-mail.ts';
import type { CaughtMail, MailStore, MailSummary } from './ses-store.ts';

const listLimit = 200;
const refreshSeconds = 5;

/** Shows the sent mails. Mails are untrusted input: their HTML is shown in a frame without scripts or network. */
export function inboxRoutes(store: MailStore): Routes {
  const ofMail =
    (show: (mail: CaughtMail, part: string) => Reply) =>
    (_: unknown, messageId: string, part = '') => {
      const mail = store.find(messageId);
      return mail ? show(mail, part) : { status: 404, body: 'No such mail.' };
    };

  return {
    'GET /': () => listPage(store.newest(listLimit)),
    'GET /mails/{id}': ofMail(mailPage),
    'GET /mails/{id}/html': ofMail(htmlBody),
    'GET /mails/{id}/attachments/{number}': ofMail((mail, number) => download(mail.attachments[Number(number)])),
  };
}

function listPage(mails: readonly MailSummary[]): Reply {
  const list = mails.length > 0 ? html`<ol class="mails">${mails.map(listEntry)}</ol>` : emptyInbox;
  return page('Inbox', html`<h1>Inbox</h1>${list}`, refreshSeconds);
}

const emptyInbox = html`<div class="sheet">
<p>No emails yet. Every email sent through the local SES appears here within seconds, newest first.</p>
<p>Four recipients decide the outcome of an email: <code>success@</code>, <code>bounce@</code>,
<code>complaint@</code> and <code>reject@simulator.amazonses.com</code>.</p>
</div>`;

const listEntry = (mail: MailSummary) => html`
<li><a href="/mails/${mail.messageId}">
<strong><bdi>${subjectOf(mail)}</bdi></strong>
<span>to <bdi>${Object.values(mail.destination).flat().join(', ')}</bdi></span>
<span>from <bdi>${mail.from}</bdi></span>
${timeOf(mail)}
</a></li>`;

function mailPage(mail: CaughtMail): Reply {
  const { messageId, body, headers, attachments } = mail;
  const { to, cc, bcc } = mail.destination;
  const tags = Object.entries(mail.tags).map(([name, value]) => `${name}=${value}`);
  const facts = Object.entries({ From: [mail.from], To: to, Cc: cc, Bcc: bcc, 'Reply to': mail.replyTo, Tags: tags })
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => factEntry(name, values.join(', ')));
  const links = linksIn(body.html ?? '');

  return page(
    subjectOf(mail),
    html`<h1><bdi>${subjectOf(mail)}</bdi></h1>
<dl>${facts}<dt>Sent</dt><dd>${timeOf(mail)}</dd></dl>
${section('HTML', body.html !== null && html`<iframe sandbox="" title="The email as HTML" src="/mails/${messageId}/html"></iframe>`)}
${section('Links in the HTML', links.length > 0 && html`<ul>${links.map(linkEntry)}</ul>`)}
${section('Text', body.text !== null && html`<pre>${body.text}</pre>`)}
${section('Attachments', attachments.length > 0 && html`<ul>${attachments.map((file, index) => fileEntry(messageId, file, index))}</ul>`)}
<details><summary>All headers</summary><dl>${headers.map(({ name, value }) => factEntry(name, value))}</dl></details>
<p><a href="/store/${messageId}/raw">Raw source</a></p>`,
  );
}

const section = (title: string, content: Markup | false) => (content ? html`<h2>${title}</h2>${content}` : html``);

const factEntry = (name: string, value: string) => html`<dt>${name}</dt><dd><bdi>${value}</bdi></dd>`;

const linkEntry = (url: string) =>
  html`<li><a href="${url}" rel="noreferrer" target="_blank"><bdi>${url}</bdi></a></li>`;

const fileEntry = (messageId: string, file: MailAttachment, index: number) => html`
<li><a href="/mails/${messageId}/attachments/${String(index)}"><bdi>${nameOf(file)}</bdi></a>,
<bdi>${file.contentType}</bdi>, ${file.size.toLocaleString('en')} bytes</li>`;

const subjectOf = ({ subject }: MailSummary) => subject.trim() || '(no subject)';

const nameOf = ({ filename }: MailAttachment) => filename ?? 'attachment';

function timeOf({ at }: MailSummary): Markup {
  const local = new Date(at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
  return html`<time datetime="${at}">${local}</time>`;
}

/** The frame blocks navigation, so its links are listed beside it. */
function linksIn(body: string): string[] {
  const urls = body
    .matchAll(/\bhref\s*=\s*["']?(https?:[^"'\s>]+)/gi)
    .map(([, url = '']) => url.replaceAll('&amp;', '&'));
  return [...new Set(urls)];
}

/** The mail's HTML as a document with an opaque origin, without scripts, forms or network access. */
function htmlBody({ body, attachments }: CaughtMail): Reply {
  const inline = new Map(
    attachments.flatMap(({ cid, contentType, content }) => {
      const source = `data:${contentType};base64,${content}`;
      return cid === null ? [] : [cid, encodeURIComponent(cid)].map((name) => [name, source]);
    }),
  );
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "sandbox; default-src 'none'; img-src data:; font-src data:; style-src 'unsafe-inline'; frame-ancestors 'self'",
      'referrer-policy': 'no-referrer',
    },
    body: (body.html ?? '').replaceAll(/(["'(=]\s*)cid:([^"'\s)>]+)/gi, (whole, before: string, cid: string) => {
      const source = inline.get(cid);
      return source ? before + source : whole;
    }),
  };
}

/** For the characters that encodeURIComponent keeps and a header parameter may not contain. */
const percentEncoded = (character: string) => `%${character.charCodeAt(0).toString(16)}`;

function download(file: MailAttachment | undefined): Reply {
  if (!file) return { status: 404, body: 'No such attachment.' };
  const name = encodeURIComponent(nameOf(file)).replaceAll(/['()*]/g, percentEncoded);
  return {
    status: 200,
    headers: {
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename*=UTF-8''${name}`,
    },
    body: Buffer.from(file.content, 'base64'),
  };
}
