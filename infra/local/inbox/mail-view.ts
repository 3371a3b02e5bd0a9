import { type Html, html } from '../../../shared/kit/html.ts';
import type { Request } from '../emulators/local-server.ts';
import type { MailAttachment } from '../emulators/ses-mail.ts';
import type { CaughtMail } from '../emulators/ses-store.ts';
import { backLink, current, exactTime, withSearch } from './frame.ts';
import { hasRemotePictures, linksIn, nameOf, subjectOf } from './mail-parts.ts';

interface Shown {
  readonly request: Request;
  readonly search: string;
  raw(): Uint8Array | undefined;
}

interface View {
  readonly label: string;
  readonly isThere: (mail: CaughtMail) => boolean;
  readonly show: (mail: CaughtMail, shown: Shown) => Html;
}

const always = (): boolean => true;

/** How a mail can be looked at. The first that it has is shown first. */
const views: Readonly<Record<string, View>> = {
  html: { label: 'HTML', isThere: ({ body }) => body.html !== null, show: htmlView },
  text: { label: 'Text', isThere: ({ body }) => body.text !== null, show: ({ body }) => blockOf(body.text ?? '') },
  links: { label: 'Links', isThere: ({ body }) => linksIn(body.html ?? '').length > 0, show: linksView },
  files: { label: 'Attachments', isThere: ({ attachments }) => attachments.length > 0, show: filesView },
  headers: { label: 'Headers', isThere: always, show: headersView },
  source: { label: 'Source', isThere: always, show: sourceView },
};

/** A mail beside the list: who wrote what to whom, and the chosen view of it. */
export const mailView = (mail: CaughtMail, shown: Shown): Html => {
  const there = Object.entries(views).filter(([, { isThere }]) => isThere(mail));
  const wanted = shown.request.query.get('view');
  const [name, view] = there.find(([each]) => each === wanted) ?? there[0] ?? ['source', views['source']];
  const links = there.map(([each, { label }]) => {
    const href = withSearch(`/mails/${mail.messageId}?view=${each}`, shown.search);
    return html`<a id="view-${each}" data-in-place href="${href}"${each === name && current}>${label}</a>`;
  });
  return html`${backLink('mails', shown.search)}
<header class="opening">
<h1 tabindex="-1"><bdi>${subjectOf(mail)}</bdi></h1>
${factsOf(mail)}
</header>
<nav class="views" aria-label="Views of the email">${links}</nav>
<section class="view" aria-label="${view?.label ?? ''}">${view?.show(mail, shown)}</section>`;
};

const factsOf = ({ from, destination, replyTo, tags, at }: CaughtMail): Html => {
  const { to, cc, bcc } = destination;
  const named = Object.entries(tags).map(([name, value]) => `${name}=${value}`);
  const facts = Object.entries({ From: [from], To: to, Cc: cc, Bcc: bcc, 'Reply to': replyTo, Tags: named })
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => factOf(name, values.join(', ')));
  return html`<dl class="facts">${facts}<div><dt>Sent</dt><dd>${exactTime(at)}</dd></div></dl>`;
};

const factOf = (name: string, value: string): Html => html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>`;

const blockOf = (text: string): Html => html`<pre tabindex="0">${text}</pre>`;

function htmlView({ messageId, body }: CaughtMail, { request, search }: Shown): Html {
  const isAllowed = request.query.has('pictures');
  const query = isAllowed ? '?pictures=on' : '';
  const ask = html`<a id="pictures" data-in-place href="${withSearch(`/mails/${messageId}?view=html&pictures=on`, search)}">Show remote pictures</a>`;
  return html`<p class="tools small">
<label class="check"><input type="checkbox" class="narrow"> As wide as a phone</label>
${hasRemotePictures(body.html ?? '') && !isAllowed && ask}
</p>
<iframe sandbox="allow-popups allow-popups-to-escape-sandbox" title="The email as HTML" src="/mails/${messageId}/html${query}"></iframe>`;
}

function linksView({ body }: CaughtMail): Html {
  const links = linksIn(body.html ?? '').map(
    (url) => html`<li><a href="${url}" rel="noreferrer" target="_blank"><bdi>${url}</bdi></a></li>`,
  );
  return html`<ul class="lines">${links}</ul>`;
}

function filesView({ messageId, attachments }: CaughtMail): Html {
  return html`<ul class="lines">${attachments.map((file, index) => fileOf(messageId, file, index))}</ul>`;
}

const fileOf = (messageId: string, file: MailAttachment, index: number): Html => html`
<li><a href="/mails/${messageId}/attachments/${index}" download><bdi>${nameOf(file)}</bdi></a>
<span class="quiet small"><bdi>${file.contentType}</bdi>, ${file.size.toLocaleString('en')} bytes</span></li>`;

function headersView({ headers }: CaughtMail): Html {
  return html`<dl class="facts headers">${headers.map(({ name, value }) => factOf(name, value))}</dl>`;
}

const mostSourceBytes = 200_000;

function sourceView({ messageId }: CaughtMail, { raw }: Shown): Html {
  const bytes = raw() ?? new Uint8Array();
  const isCut = bytes.length > mostSourceBytes;
  return html`<p class="tools small"><a href="/store/${messageId}/raw" download="${messageId}.eml">Download the source</a>
${isCut && html`<span class="quiet">The first ${mostSourceBytes.toLocaleString('en')} of ${bytes.length.toLocaleString('en')} bytes</span>`}</p>
${blockOf(Buffer.from(bytes.subarray(0, mostSourceBytes)).toString('utf8'))}`;
}
