import { type Html, html } from '../../../shared/kit/html.ts';
import type { Reply, Request, Routes } from '../emulators/local-server.ts';
import type { CaughtMail, MailEntry, MailStore } from '../emulators/ses-store.ts';
import { current, inboxPage, searchIn, shortTime, tabs, unlessSeen, withSearch } from './frame.ts';
import { mailDocument, mailFile } from './mail-files.ts';
import { subjectOf } from './mail-parts.ts';
import { mailView } from './mail-view.ts';

const listLimit = 200;

/** The caught mails as pages. They are untrusted input: their HTML is shown in a frame without scripts. */
export const mailRoutes = (store: MailStore): Routes => {
  const withMail =
    (show: (mail: CaughtMail, request: Request, part: string) => Reply) =>
    (request: Request, messageId: string, part = ''): Reply => {
      const mail = store.find(messageId);
      return mail ? show(mail, request, part) : { status: 404, body: 'No such mail.' };
    };

  const pageWith = (request: Request, mail?: CaughtMail): Reply => {
    const search = searchIn(request);
    const mails = store.search(search.split(/\s+/).filter(Boolean), listLimit);
    return inboxPage({
      tab: 'mails',
      title: mail ? subjectOf(mail) : 'Inbox',
      entries: mails.map((entry) => entryOf(entry, { search, isOpen: entry.messageId === mail?.messageId })),
      note: noteOn(mails.length, search),
      search,
      path: mail ? `/mails/${mail.messageId}` : tabs.mails.path,
      opened: mail && mailView(mail, { request, search, raw: () => store.raw(mail.messageId) }),
      empty: mails.length === 0 && search === '' ? emptyInbox : nothingOpen,
    });
  };

  return {
    'GET /': (request) => unlessSeen(request, store.version(), () => pageWith(request)),
    'GET /mails/{id}': withMail((mail, request) => unlessSeen(request, store.version(), () => pageWith(request, mail))),
    'GET /mails/{id}/html': withMail((mail, { query }) => mailDocument(mail, query.has('pictures'))),
    'GET /mails/{id}/attachments/{number}': withMail((mail, _, number) => mailFile(mail.attachments[Number(number)])),
  };
};

const noteOn = (count: number, search: string): string => {
  if (count === listLimit) return `The newest ${listLimit} are listed. Search finds older ones.`;
  if (search !== '' && count === 0) return 'No email contains these words.';
  return count === 0 ? 'No emails yet.' : '';
};

const emptyInbox = html`<div class="empty">
<p class="title">No emails yet</p>
<p>Every email that the API sends appears here at once. Four recipients decide the outcome:</p>
<p><code>success@</code>, <code>bounce@</code>, <code>complaint@</code> and <code>reject@simulator.amazonses.com</code></p>
</div>`;

const nothingOpen = html`<div class="empty wide-only">
<p class="title">Choose an email</p>
<p>Arrow keys move through the list, <kbd>/</kbd> leads to the search.</p>
</div>`;

interface Listed {
  readonly search: string;
  readonly isOpen: boolean;
}

const entryOf = (mail: MailEntry, { search, isOpen }: Listed): Html => html`
<li id="mail-${mail.messageId}"><a data-in-place href="${withSearch(`/mails/${mail.messageId}`, search)}"${isOpen && current}>
<span class="line"><strong><bdi>${mail.recipients.join(', ')}</bdi></strong>${shortTime(mail.at)}</span>
<span class="subject"><bdi>${subjectOf(mail)}</bdi>${mail.hasAttachments && paperclip}</span>
<span class="preview quiet"><bdi>${mail.beginning}</bdi></span>
</a></li>`;

const paperclip = html`<svg class="mark" viewBox="0 0 16 16" width="14" height="14" role="img" aria-label="With attachments"><path d="M10.5 4.5v6.2a2.5 2.5 0 0 1-5 0V4a1.7 1.7 0 0 1 3.4 0v6.3a.8.8 0 0 1-1.6 0V5" fill="none" stroke="currentColor" stroke-width="1.3" stroke-linecap="round"/></svg>`;
