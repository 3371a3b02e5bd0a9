import type { Found } from '../search-index.ts';
import { element } from './element.ts';
import { best } from './rank.ts';

let index: Promise<readonly Found[]> | undefined;

/** The index is loaded when the reader first searches. */
const load = (): Promise<readonly Found[]> => {
  index ??= fetch('/docs/search.json')
    .then((answer) => (answer.ok ? answer.json() : Promise.reject(answer)))
    .catch((thrown: unknown) => {
      // The next search tries again.
      index = undefined;
      throw thrown;
    });
  return index;
};

/** The keys that lead to the search; none where the field has no room for them, as on a phone. */
const shortcut = (): string => {
  if (matchMedia('(max-width: 40rem)').matches) return '';
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? '   ⌘K' : '   Ctrl K';
};

/** The search field: a combobox with the list of what it finds. */
export const addSearch = (): void => {
  const place = document.getElementById('search');
  if (!place) return;
  const input = element('input', {
    type: 'search',
    role: 'combobox',
    placeholder: `Search${shortcut()}`,
    'aria-label': 'Search the documentation',
    'aria-expanded': 'false',
    'aria-controls': 'found',
    'aria-autocomplete': 'list',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const list = element('ul', { id: 'found', role: 'listbox', 'aria-label': 'Results', hidden: '' });
  const said = element('p', { role: 'status' });
  let at = -1;

  const select = (next: number): void => {
    const items = [...list.children];
    at = items.length === 0 ? -1 : (next + items.length) % items.length;
    for (const [i, item] of items.entries()) item.setAttribute('aria-selected', String(i === at));
    items[at]?.scrollIntoView({ block: 'nearest' });
    if (at < 0) input.removeAttribute('aria-activedescendant');
    else input.setAttribute('aria-activedescendant', `found-${at}`);
  };
  const close = (): void => {
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    select(-1);
  };
  /** Says what was found: to everybody, where there is no list to see. */
  const say = (text: string, isSeen: boolean): void => {
    said.textContent = text;
    said.classList.toggle('seen', isSeen);
  };
  const show = async (): Promise<void> => {
    const asked = input.value;
    const found = asked.trim()
      ? await load().then(
          (all) => best(all, asked),
          () => undefined,
        )
      : [];
    // A slower answer to an earlier question.
    if (asked !== input.value) return;
    showFound(found ?? []);
    if (!found) say('The search could not be loaded. Check your connection, and type on.', true);
    else if (!asked.trim()) say('', false);
    else if (found.length === 0) say('Nothing found', true);
    else say(`${found.length} results`, false);
  };
  const showFound = (found: readonly Found[]): void => {
    list.replaceChildren(...found.map(itemOf));
    list.hidden = found.length === 0;
    input.setAttribute('aria-expanded', String(found.length > 0));
    if (found.length > 0) select(0);
    else close();
  };
  const go = (item: Element | undefined): void => {
    const href = item?.getAttribute('data-href');
    if (!href) return;
    close();
    input.blur();
    location.href = href;
  };

  input.addEventListener('focus', () => void load().catch(() => undefined));
  input.addEventListener('input', () => void show());
  input.addEventListener('blur', () =>
    setTimeout(() => {
      close();
      say('', false);
    }, 150),
  );
  list.addEventListener('mousedown', (event) => {
    event.preventDefault();
    go((event.target as Element).closest('li') ?? undefined);
  });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      input.value = '';
      close();
      say('', false);
      return;
    }
    if (list.hidden) return;
    if (event.key === 'ArrowDown') select(at + 1);
    else if (event.key === 'ArrowUp') select(at - 1);
    else if (event.key === 'Enter') go(list.children[at]);
    else return;
    event.preventDefault();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test((event.target as Element).tagName);
    // A key alone would also act on the words of people who dictate (WCAG 2.2, 2.1.4).
    const isShortcut = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey;
    if (!isShortcut || isTyping) return;
    event.preventDefault();
    input.focus();
  });
  place.append(input, list, said);
};

const itemOf = ([title, page, href, words]: Found, at: number): HTMLLIElement =>
  element(
    'li',
    { id: `found-${at}`, role: 'option', 'aria-selected': 'false', 'data-href': href },
    element('b', {}, page ? `${title} · ${page}` : title),
    element('span', {}, words.slice(0, 140)),
  );
