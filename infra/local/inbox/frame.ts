import { type Html, html } from '../../../shared/kit/html.ts';
import type { Reply, Request } from '../emulators/local-server.ts';

export const tabs = { mails: { path: '/', label: 'Emails' }, phones: { path: '/phones', label: 'Phones' } } as const;

export interface InboxPage {
  readonly tab: keyof typeof tabs;
  readonly title: string;
  /** Each with an id, so that a refresh replaces only those that have changed. */
  readonly entries: readonly Html[];
  /** Below the entries: what is missing. */
  readonly note: string;
  readonly search: string;
  /** Of the address that the search keeps. */
  readonly path: string;
  /** What is open beside the list. A narrow screen shows it in the place of the list. */
  readonly opened?: Html | undefined;
  /** In the place of `opened`. */
  readonly empty: Html;
}

/** In case a message injects markup into a page: only our own script runs, and nothing is loaded from elsewhere. */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** What a page's search is: words that must all occur. */
export const searchIn = ({ query }: Request): string => (query.get('search') ?? '').trim();

/** A link inside the inbox that keeps the search. */
export const withSearch = (path: string, search: string): string =>
  search === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams({ search })}`;

/** Answers 304 if the browser has this version of the page. */
export const unlessSeen = ({ headers }: Request, version: string, show: () => Reply): Reply => {
  const etag = `"${version}"`;
  if (headers['if-none-match'] === etag) return { status: 304, headers: { etag } };
  const reply = show();
  return { ...reply, headers: { ...reply.headers, etag, 'cache-control': 'no-cache' } };
};

/** The one page of the inbox: the list of a tab, and what is open in it. */
export const inboxPage = (page: InboxPage): Reply => ({
  status: 200,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
  },
  body: documentOf(page).markup,
});

const documentOf = ({ tab, title, entries, note, search, path, opened, empty }: InboxPage): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/inbox.css">
<script type="module" src="/inbox.js"></script>
</head>
<body class="${opened ? 'inbox opened' : 'inbox'}">
<a class="skip" href="#detail">Skip to content</a>
<header class="top">
<p class="brand">${logo}Inbox</p>
<nav class="tabs" aria-label="Inbox">${Object.entries(tabs).map(([name, { path: href, label }]) => tabLink(href, label, name === tab))}</nav>
<p id="state" class="small quiet" role="status">Caught on this machine, not sent</p>
</header>
<nav class="list" aria-label="${tabs[tab].label}">
<search><form id="search" action="${path}">
<input type="search" name="search" value="${search}" placeholder="Search" aria-label="Search ${tabs[tab].label.toLowerCase()}" autocomplete="off">
</form></search>
<ol id="entries" class="entries">${entries}</ol>
<p id="note" class="note small quiet">${note}</p>
</nav>
<main id="detail" class="detail" tabindex="-1">${opened ?? html`<h1 class="hidden">${tabs[tab].label}</h1>${empty}`}</main>
</body>
</html>`;

const logo = html`<svg class="logo" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><rect width="24" height="24" rx="6"/><path d="M6 8.5l6 4.5 6-4.5M6 8h12v8.5H6z" fill="none" stroke-width="1.6" stroke-linejoin="round"/></svg>`;

const tabLink = (href: string, label: string, isCurrent: boolean): Html =>
  html`<a href="${href}"${isCurrent && current}>${label}</a>`;

/** Marks the link of what is open. */
export const current = html` aria-current="page"`;

/** The way back to the list, on a narrow screen. */
export const backLink = (tab: InboxPage['tab'], search: string): Html =>
  html`<p class="back"><a id="back" data-in-place href="${withSearch(tabs[tab].path, search)}">← ${tabs[tab].label}</a></p>`;

const dayOf = (at: Date): string => at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });

const exactly = (at: string): string =>
  new Date(at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'long' });

/** A time of this machine: the hour of today, else the day; exact and with the zone when pointed at. */
export const shortTime = (at: string): Html => {
  const date = new Date(at);
  const time = date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  const short = dayOf(date) === dayOf(new Date()) ? time : dayOf(date);
  return html`<time datetime="${at}" title="${exactly(at)}">${short}</time>`;
};

/** A time of this machine, with its zone: the browser may be on another. */
export const exactTime = (at: string): Html => html`<time datetime="${at}">${exactly(at)}</time>`;
