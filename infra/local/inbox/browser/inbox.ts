/**
 * The inbox without reloads. Pages come from the server as they are; this shows them in place, so that scroll, focus and typed text stay.
 * Without it, links, search and replies work as plain pages.
 */

const refreshMs = 1_000;
const typingMs = 200;

const find = <T extends Element>(selector: string): T | null => document.querySelector<T>(selector);

/** What is open: a search does not change it. */
const placeOf = (): string => {
  const url = new URL(location.href);
  url.searchParams.delete('search');
  return url.href;
};

let shown = placeOf();
/** The version of the page that was read last. */
let seen = { url: '', etag: '' };

/** Replaces the children that have changed, by their ids. */
const patch = (old: Element, fresh: Element): void => {
  const known = new Map([...old.children].map((child) => [child.id, child]));
  const wanted = [...fresh.children];
  for (const [i, child] of wanted.entries()) {
    const before = known.get(child.id);
    known.delete(child.id);
    const isSame = before?.outerHTML === child.outerHTML;
    const placed = before && isSame ? before : child;
    const hadFocus = !isSame && before?.contains(document.activeElement);
    if (before && !isSame) before.replaceWith(child);
    if (old.children[i] !== placed) old.insertBefore(placed, old.children[i] ?? null);
    if (hadFocus) placed.querySelector('a')?.focus({ preventScroll: true });
  }
  for (const gone of known.values()) gone.remove();
};

const isAtEnd = ({ scrollHeight, scrollTop, clientHeight }: Element): boolean =>
  scrollHeight - scrollTop - clientHeight < 48;

const scrollToEnd = (): void => find('#texts')?.scrollTo({ top: Number.MAX_SAFE_INTEGER });

/** The list, and the parts of what is open that change by themselves. */
const refreshParts = (fresh: Document): void => {
  const [entries, freshEntries] = [find('#entries'), fresh.querySelector('#entries')];
  if (entries && freshEntries) patch(entries, freshEntries);
  const [note, freshNote] = [find('#note'), fresh.querySelector('#note')];
  if (note && freshNote && note.textContent !== freshNote.textContent) note.textContent = freshNote.textContent;
  for (const part of document.querySelectorAll('[data-live]')) {
    const freshPart = fresh.getElementById(part.id);
    const wasAtEnd = isAtEnd(part);
    if (freshPart) patch(part, freshPart);
    if (wasAtEnd) scrollToEnd();
  }
};

/** Another email or phone, or another view of it. The focus stays on the link that led there. */
const open = (fresh: Document): void => {
  const [detail, freshDetail] = [find<HTMLElement>('#detail'), fresh.querySelector('#detail')];
  if (!detail || !freshDetail) return;
  shown = placeOf();
  const focused = document.activeElement?.id;
  const wasInside = detail.contains(document.activeElement);
  detail.replaceChildren(...freshDetail.childNodes);
  detail.scrollTo(0, 0);
  document.title = fresh.title;
  document.body.className = fresh.body.className;
  find('#search')?.setAttribute('action', fresh.querySelector('#search')?.getAttribute('action') ?? '/');
  if (wasInside) (focused ? document.getElementById(focused) : detail)?.focus({ preventScroll: true });
  // A narrow screen shows one of both.
  const isListHidden = find<HTMLElement>('#entries')?.offsetParent === null;
  if (isListHidden && !wasInside) detail.querySelector('h1')?.focus({ preventScroll: true });
  scrollToEnd();
};

const say = (isRunning: boolean): void => {
  const state = find<HTMLElement>('#state');
  if (!state || state.classList.contains('lost') !== isRunning) return;
  state.classList.toggle('lost', !isRunning);
  state.textContent = isRunning
    ? 'Caught on this machine, not sent'
    : 'The stack has stopped. Start it again: npm start';
};

const unanswered = 'The stack did not answer. Send this again when it runs, unless the conversation shows it.';

/** Reads the page and shows it in place; drops it where the person has moved on. Returns why there is none. */
const show = async (url = location.href, init?: RequestInit): Promise<string | undefined> => {
  const here = location.href;
  const headers = seen.url === url ? { 'if-none-match': seen.etag } : {};
  const answer = await fetch(url, { headers, cache: 'no-store', ...init }).catch(() => undefined);
  const text = await answer?.text().catch(() => undefined);
  say(text !== undefined);
  if (!answer || text === undefined) return unanswered;
  if (answer.status === 304) return undefined;
  if (!answer.ok) return text;
  if (location.href !== here) return undefined;
  seen = { url, etag: answer.headers.get('etag') ?? '' };
  const fresh = new DOMParser().parseFromString(text, 'text/html');
  refreshParts(fresh);
  if (placeOf() !== shown) open(fresh);
  return undefined;
};

const go = (url: string, { replaces = false } = {}): void => {
  history[replaces ? 'replaceState' : 'pushState'](null, '', url);
  void show();
};

let timer: ReturnType<typeof setTimeout> | undefined;
const refresh = async (): Promise<void> => {
  clearTimeout(timer);
  if (document.hidden) return;
  await show();
  timer = setTimeout(refresh, refreshMs);
};

document.addEventListener('click', (click) => {
  const isPlain = click.button === 0 && !click.metaKey && !click.ctrlKey && !click.shiftKey && !click.altKey;
  const link = click.target instanceof Element ? click.target.closest<HTMLAnchorElement>('a[data-in-place]') : null;
  if (!isPlain || !link) return;
  click.preventDefault();
  go(link.href);
});
addEventListener('popstate', () => void show());
addEventListener('visibilitychange', refresh);

const searchNow = (): void => {
  const search = find<HTMLInputElement>('#search input')?.value.trim() ?? '';
  const url = new URL(location.href);
  if (search) url.searchParams.set('search', search);
  else url.searchParams.delete('search');
  go(url.href, { replaces: true });
};
let typing: ReturnType<typeof setTimeout> | undefined;
find('#search')?.addEventListener('input', () => {
  clearTimeout(typing);
  typing = setTimeout(searchNow, typingMs);
});
find('#search')?.addEventListener('submit', (event) => {
  event.preventDefault();
  searchNow();
});

document.addEventListener('submit', async (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.id !== 'reply') return;
  event.preventDefault();
  if (form.ariaBusy === 'true') return;
  form.ariaBusy = 'true';
  const { submitter } = event;
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form, submitter)) if (typeof value === 'string') body.append(name, value);
  const typed = form.querySelector('textarea');
  const sent = typed?.value;
  const refusal = await show(form.action, { method: 'POST', body });
  form.ariaBusy = 'false';
  form.querySelector('#reply-problem')?.replaceChildren(refusal ?? '');
  // What was typed since stays.
  if (typed && typed.value === sent && refusal === undefined && !body.has('word')) typed.value = '';
});

/** To the next or the previous entry of the list, which opens. */
const move = (by: 1 | -1): void => {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('#entries a')];
  const at = links.findIndex((link) => link.ariaCurrent === 'page');
  const next = links[at < 0 ? 0 : at + by];
  if (!next) return;
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: 'nearest' });
  go(next.href, { replaces: at >= 0 });
};

const moves: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

addEventListener('keydown', (event) => {
  const { key, target } = event;
  if (!(target instanceof Element) || event.ctrlKey || event.metaKey || event.altKey) return;
  const search = find<HTMLInputElement>('#search input');
  // The Enter that ends a word of an input method is part of the typing.
  if (target instanceof HTMLTextAreaElement && key === 'Enter' && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    target.form?.requestSubmit();
    return;
  }
  if (target === search && key === 'ArrowDown') {
    event.preventDefault();
    find<HTMLElement>('#entries a')?.focus();
    return;
  }
  if (target.closest('input, textarea, select')) return;
  const by = moves[key];
  // In what is open, arrows scroll.
  if (by !== undefined && (key.length === 1 || !target.closest('#detail'))) {
    event.preventDefault();
    move(by);
  }
  if (key === '/' && search) {
    event.preventDefault();
    search.focus();
    search.select();
  }
});

scrollToEnd();
void refresh();
