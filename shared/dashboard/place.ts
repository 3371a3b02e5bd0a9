import { type Store, storeOf, useStore } from './parts/store.ts';
import { hasUnsaved, isWorking } from './parts/unsaved.ts';

/** Where the browser is: the path below `/dashboard`, and the query. */
export interface Place {
  readonly url: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly entry: Entry;
  /** The URL that the browser's way back or forward led here from. */
  readonly left?: string;
}

/** What the tab's history has beside a URL. */
interface Entry {
  /** The path that was left for it. */
  readonly from: string;
  /** How far it was scrolled when it was left. */
  readonly scrolled: number;
  /** How many rows its lists had when it was left. */
  readonly rows: number;
}

const base = '/dashboard';

/** A path that is not encoded well stays as it is: no screen has it. */
const decoded = (path: string): string => {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
};

const entryHere = (): Entry => {
  const { from = '', scrolled = 0, rows = 0 }: Partial<Entry> = history.state ?? {};
  return { from, scrolled, rows };
};

const here = (): Place => ({
  url: location.pathname + location.search,
  path: decoded(location.pathname).slice(base.length).replace(/\/+$/, ''),
  query: new URLSearchParams(location.search),
  entry: entryHere(),
});

const places: Store<Place> = storeOf(here());
export const usePlace = (): Place => useStore(places);

/**
 * Opens another screen, or this one with another query. `to` is a path below the origin. As with any link, what is open already takes no second
 * step of the way back.
 */
export const go = (to: string, { replaces = false } = {}): void => {
  const before = places.get().path;
  if (replaces || to === here().url) history.replaceState(history.state, '', to);
  else {
    const rows = document.querySelectorAll('.list tbody tr').length;
    history.replaceState({ ...entryHere(), scrolled: scrollY, rows }, '');
    history.pushState({ from: before }, '', to);
  }
  places.set(here());
  if (places.get().path !== before) scrollTo(0, 0);
};

/** Sets filters in the query. An empty one is left out. A new filter starts the list anew. */
export const goWith = (changes: Readonly<Record<string, string>>): void => {
  const { query } = here();
  for (const [name, value] of Object.entries(changes)) {
    if (value) query.set(name, value);
    else query.delete(name);
  }
  const text = String(query);
  go(`${location.pathname}${text && `?${text}`}`, { replaces: true });
};

/** What a person wants to do that leaves a screen with text that is not saved; undefined where nothing is to be asked. */
export const leaving: Store<(() => void) | undefined> = storeOf<(() => void) | undefined>(undefined);

/** Leaves the screen, where it has text that is not saved, after asking. `ends`: leaves all screens, with what the page does on its own. */
export const leave = (act: () => void, { ends = false } = {}): void => {
  if (hasUnsaved() || (ends && isWorking())) leaving.set(act);
  else act();
};

const isPlain = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;

const follow = ({ dataset, pathname, search }: HTMLAnchorElement): void => {
  const isReturn = 'return' in dataset && pathname === base + entryHere().from;
  if (isReturn) history.back();
  else if (pathname === location.pathname) go(pathname + search);
  else leave(() => go(pathname + search));
};

/** Links inside the dashboard change the screen without loading the page. */
export const followLinks = (): void => {
  let isDiscarded = false;
  addEventListener('popstate', () => {
    const [shown, wanted] = [places.get(), here()];
    const isAsked = wanted.path !== shown.path && hasUnsaved() && !isDiscarded;
    isDiscarded = false;
    if (!isAsked) return places.set({ ...wanted, left: shown.url });
    // The step before it is then the one that the person wants.
    history.pushState(shown.entry, '', shown.url);
    leaving.set(() => {
      isDiscarded = true;
      history.back();
    });
  });
  document.addEventListener('click', (click) => {
    const link = click.target instanceof Element ? click.target.closest('a') : null;
    if (!isPlain(click) || !link || click.defaultPrevented || link.target || link.hasAttribute('download')) return;
    const { origin, pathname, hash } = new URL(link.href);
    const isOurs = origin === location.origin && (pathname === base || pathname.startsWith(`${base}/`));
    if (!isOurs) return;
    click.preventDefault();
    // A step of the history for a part of a screen would not know where the screen was opened from.
    if (hash) document.querySelector<HTMLElement>(hash)?.focus();
    else follow(link);
  });
};

/** The parameters of a path that fits a pattern such as `/messages/{id}`; undefined when it does not. */
export const paramsOf = (pattern: string, path: string): Readonly<Record<string, string>> | undefined => {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [i, part] of wanted.entries()) {
    const value = given[i] ?? '';
    if (part.startsWith('{')) params[part.slice(1, -1)] = value;
    else if (part !== value) return undefined;
  }
  return params;
};
