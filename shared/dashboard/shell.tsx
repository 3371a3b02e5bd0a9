import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { adminApi } from './apis.ts';
import { Dialog } from './parts/dialog.tsx';
import { useLoad } from './parts/load.ts';
import { Loading, Trouble } from './parts/trouble.tsx';
import { leave, paramsOf, usePlace } from './place.ts';
import { areas, type ScreenRow, screens } from './screens.ts';
import { type Person, signOut, useAccount } from './session.ts';

export const Logo = () => (
  <svg class="logo" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
    <rect width="24" height="24" rx="6" />
    <path d="M6 8.5l6 4.5 6-4.5M6 8h12v8.5H6z" fill="none" stroke-width="1.6" stroke-linejoin="round" />
  </svg>
);

/** What surrounds every screen: the account, the navigation and the person. */
export const Shell = ({ who, children }: { readonly who: Person; readonly children: ComponentChildren }) => {
  const place = usePlace();
  const [isOpen, setOpen] = useState(false);
  const [menu, side] = [useRef<HTMLButtonElement>(null), useRef<HTMLDivElement>(null)];
  useEffect(() => {
    if (!isOpen) return;
    // A link to the open screen has the focus still, and is about to be hidden.
    if (side.current?.contains(document.activeElement)) menu.current?.focus();
    setOpen(false);
  }, [place]);
  // Before the menu is seen: a key that follows at once closes it.
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const closeByKey = ({ key }: KeyboardEvent): void => {
      if (key !== 'Escape') return;
      menu.current?.focus();
      setOpen(false);
    };
    document.addEventListener('keydown', closeByKey);
    return () => document.removeEventListener('keydown', closeByKey);
  }, [isOpen]);
  return (
    <div class="shell">
      <a class="skip" href="#content">
        Skip to content
      </a>
      <header class="bar">
        <AccountSwitcher who={who} />
        <button
          ref={menu}
          type="button"
          class="menu"
          aria-expanded={isOpen}
          aria-controls="navigation"
          onClick={() => setOpen(!isOpen)}
        >
          <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
            <path d="M2 4h12M2 8h12M2 12h12" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" />
          </svg>
          Menu
        </button>
      </header>
      <div ref={side} id="navigation" class={isOpen ? 'side open' : 'side'}>
        <Navigation who={who} />
        <footer>
          <p class="small">{who.email ?? who.name}</p>
          {who.isOperator ? <p class="small quiet">Operator of the platform</p> : null}
          <p class="small quiet">Times: {new Intl.DateTimeFormat().resolvedOptions().timeZone}</p>
          <p class="small links">
            <a href="/docs" target="_blank" rel="noreferrer">
              Documentation
            </a>
            <button type="button" class="plain" onClick={() => leave(signOut, { ends: true })}>
              Sign out
            </button>
          </p>
        </footer>
      </div>
      {/* An open menu covers it. */}
      <main onFocusIn={() => setOpen(false)}>{children}</main>
    </div>
  );
};

const Navigation = ({ who }: { readonly who: Person }) => {
  const { id } = useAccount();
  const { path } = usePlace();
  const isShown = ({ of, label }: ScreenRow) =>
    label !== undefined && (of === 'platform' ? who.isOperator : of === 'person' || id !== '');
  const hrefOf = ({ of, path: own }: ScreenRow) => (of === 'account' ? `/${id}${own}` : own);
  /** Also on the screens below it: `/messages/{id}` is in Messages. */
  const isCurrent = (row: ScreenRow) => {
    const href = hrefOf(row);
    return paramsOf(href, path) !== undefined || (row.path !== '' && path.startsWith(`${href}/`));
  };
  return (
    <nav aria-label="Dashboard">
      {areas.map((area) => {
        const rows = screens.filter((row) => (row.area ?? '') === area && isShown(row));
        if (rows.length === 0) return null;
        return (
          <div key={area} class="area">
            {area ? <p class="heading">{area}</p> : null}
            <ul>
              {rows.map((row) => (
                <li key={row.path}>
                  <a href={`/dashboard${hrefOf(row)}`} aria-current={isCurrent(row) ? 'page' : undefined}>
                    {row.label}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </nav>
  );
};

const AccountSwitcher = ({ who }: { readonly who: Person }) => {
  const { name, role } = useAccount();
  const [isOpen, setOpen] = useState(false);
  const isFixed = !who.isOperator && who.accounts.length < 2;
  return (
    <>
      {isFixed ? (
        <p class="account">
          <Logo />
          <span class="name">{name || 'Dashboard'}</span>
        </p>
      ) : (
        <button type="button" class="account" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          <Logo />
          <span class="name">{name || 'Choose an account'}</span>
          <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
            <path d="M3.5 4.5 6 2l2.5 2.5m-5 3L6 10l2.5-2.5" fill="none" stroke="currentColor" stroke-width="1.4" />
          </svg>
          <span class="hidden">{role === 'operator' ? 'as operator. ' : ''}Switch account</span>
        </button>
      )}
      {isOpen ? <AccountDialog who={who} onClose={() => setOpen(false)} /> : null}
    </>
  );
};

interface FoundAccounts {
  readonly accounts: readonly Pick<Person['accounts'][number], 'id' | 'name' | 'createdAt'>[];
  /** A page that is filtered after it is read may be empty and have more. */
  readonly hasMore: boolean;
}

const AccountDialog = ({ who, onClose }: { readonly who: Person; readonly onClose: () => void }) => {
  const [search, setSearch] = useState('');
  const wanted = search.trim();
  const found = useLoad<FoundAccounts>(async () => {
    if (!who.isOperator) {
      const own = who.accounts.filter(
        ({ id, name }) => name.toLowerCase().includes(wanted.toLowerCase()) || id.startsWith(wanted.toLowerCase()),
      );
      return { accounts: own, hasMore: false };
    }
    const query = { limit: 20, ...(wanted && { search: wanted }) };
    const { data, pagination } = await adminApi.call('GET /accounts', { query });
    return { accounts: data, hasMore: pagination.hasMore };
  }, [search, who]);
  const { accounts = [], hasMore = false } = found.value ?? {};
  return (
    <Dialog title="Switch account" onClose={onClose}>
      <input
        type="search"
        aria-label="Search accounts"
        placeholder="Search accounts"
        value={search}
        onInput={(event) => setSearch(event.currentTarget.value)}
      />
      {found.problem ? <Trouble problem={found.problem} retry={found.reload} /> : null}
      {found.isLoading && !found.value ? <Loading lines={3} /> : null}
      <ul class="choices">
        {accounts.map(({ id, name, createdAt }) => (
          <li key={id}>
            <a href={`/dashboard/${id}`} onClick={onClose}>
              {name}{' '}
              <span class="quiet">
                since {createdAt.slice(0, 10)} <code>{id.slice(0, 8)}</code>
              </span>
            </a>
          </li>
        ))}
      </ul>
      {found.value && accounts.length === 0 ? (
        <p class="quiet">{hasMore ? 'Nothing found so far.' : 'No account has this name.'}</p>
      ) : null}
      {hasMore ? (
        <p>
          <a href={`/dashboard/accounts${wanted && `?${new URLSearchParams({ search: wanted })}`}`} onClick={onClose}>
            {wanted ? 'Search the rest of the accounts' : 'All accounts'}
          </a>
        </p>
      ) : null}
    </Dialog>
  );
};
