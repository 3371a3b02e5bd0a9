import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useErrorBoundary, useLayoutEffect, useState } from 'preact/hooks';
import { overNetwork } from '../client/client.ts';
import { adminApi, type Problem } from './apis.ts';
import { Leaving } from './parts/leaving.tsx';
import { useLoad } from './parts/load.ts';
import { Screen, type ScreenProps } from './parts/screen.tsx';
import { useStore } from './parts/store.ts';
import { Toasts } from './parts/toast.tsx';
import { Empty, Loading, Trouble } from './parts/trouble.tsx';
import { go, paramsOf, usePlace } from './place.ts';
import { type ScreenRow, screens } from './screens.ts';
import {
  AccountContext,
  type AccountInView,
  lastAccount,
  mayBuild,
  type Person,
  person,
  readPersonAgain,
  rememberAccount,
  showPerson,
  takePlace,
} from './session.ts';
import { Shell } from './shell.tsx';
import { SignIn } from './sign-in.tsx';

/** The dashboard: the sign-in, or the shell with the screen that the path names. */
export const App = () => {
  const { path } = usePlace();
  return (
    <>
      {path.startsWith('/sign-in') ? <SignIn /> : <SignedIn />}
      <Leaving />
      <Toasts />
    </>
  );
};

const SignedIn = () => {
  const me = useLoad(() => adminApi.call('GET /me').then(({ data }) => data), []);
  // Before anything is shown: it may be another person than before.
  useLayoutEffect(() => {
    if (!me.value) return;
    const place = takePlace(me.value);
    if (place) go(place, { replaces: true });
    showPerson(me.value);
  }, [me.value]);
  const who = useStore(person);
  const { path } = usePlace();
  // They come while the person is read. Where they do not, the first screen says so.
  useEffect(() => void loadComponents().catch(() => undefined), []);
  useEffect(() => {
    if (person.get()) readPersonAgain();
  }, [path]);
  // What was typed stays where the person is only read again.
  if (me.problem && !me.value && me.problem.code !== 'unauthorized')
    return (
      <main class="alone">
        <h1>The dashboard cannot be opened</h1>
        <Trouble problem={me.problem} retry={me.reload} />
      </main>
    );
  // After a sign-in screen, the way back leads here: the session of the person whom the page knows may be over.
  return me.value && who ? <Signed who={who} /> : <Loading lines={3} />;
};

interface Found {
  readonly screen: ScreenRow;
  readonly params: Readonly<Record<string, string>>;
  readonly accountId?: string;
}

/** Fixed names go before the id of an account. */
const inOrder = [...screens].sort((one, other) => Number(one.of === 'account') - Number(other.of === 'account'));

const findScreen = (path: string): Found | undefined => {
  for (const screen of inOrder) {
    const pattern = screen.of === 'account' ? `/{account}${screen.path}` : screen.path;
    const params = paramsOf(pattern, path);
    if (params) return { screen, params, ...(screen.of === 'account' && { accountId: params['account'] ?? '' }) };
  }
  return undefined;
};

/** The account of the open screen. Screens of no account keep the navigation of the account that was open before. */
const useAccountId = (found: Found | undefined, who: Person): string | undefined => {
  const first = who.accounts[0]?.id;
  const [shown, setShown] = useState(() => found?.accountId ?? lastAccount() ?? first);
  useEffect(() => {
    if (!found?.accountId) return;
    setShown(found.accountId);
    rememberAccount(found.accountId);
  }, [found?.accountId]);
  const id = found?.accountId ?? shown;
  return isOpenTo(who, id) ? id : first;
};

const isOpenTo = (who: Person, account: string | undefined): boolean =>
  who.isOperator || who.accounts.some(({ id }) => id === account);

const Signed = ({ who }: { readonly who: Person }) => {
  const { path } = usePlace();
  const found = findScreen(path);
  const account = useAccountInView(who, useAccountId(found, who));
  const start = startOf(who, account.value);
  // Before anything is shown: what a person opens next must not be replaced.
  useLayoutEffect(() => {
    if (path === '' && start) go(start, { replaces: true });
  }, [path, start]);

  const isWaiting = (found?.accountId || path === '') && !account.value && (account.isLoading || who.isOperator);
  return (
    <AccountContext.Provider value={account.value ?? noAccount(who)}>
      <Shell who={who}>
        {found?.accountId && account.value?.status === 'frozen' ? <Frozen /> : null}
        {account.problem && !account.value && found?.accountId ? (
          <Screen title="Account">
            <Trouble problem={account.problem} retry={account.reload} />
          </Screen>
        ) : isWaiting ? (
          <Loading />
        ) : (
          <Opened
            found={found && isAllowed(found, who, account.value) ? found : undefined}
            isEmpty={path === '' && !start}
          />
        )}
      </Shell>
    </AccountContext.Provider>
  );
};

const Frozen = () => (
  <p class="notice waiting">
    The operators of the platform have frozen this account: its sends are blocked, and its checkout takes no payments.
  </p>
);

const noAccount = ({ isOperator }: Person): AccountInView => ({
  id: '',
  name: '',
  role: isOperator ? 'operator' : 'viewer',
  status: 'active',
});

const startOf = ({ isOperator }: Person, account: AccountInView | undefined): string | undefined => {
  if (account) return `/dashboard/${account.id}`;
  return isOperator ? '/dashboard/accounts' : undefined;
};

const isAllowed = ({ screen, accountId }: Found, who: Person, account: AccountInView | undefined): boolean => {
  if (screen.of === 'platform') return who.isOperator;
  if (screen.isForBuilders && !(account && mayBuild(account))) return false;
  return accountId === undefined || isOpenTo(who, accountId);
};

/** A person has the names of their accounts; an operator reads that of any. What is on the screen stays while it is read again. */
const useAccountInView = (who: Person, id: string | undefined) => {
  const { isOperator } = who;
  const read = useLoad<AccountInView | undefined>(async () => {
    if (!isOperator || id === undefined) return undefined;
    const { data } = await adminApi.call('GET /accounts/{id}', { path: { id } });
    return { id, name: data.name, role: 'operator', status: data.status };
  }, [isOperator, id]);
  useEffect(() => {
    if (read.value) read.reload();
  }, [who]);
  // The first moment of another account has what was read of the one before.
  const known = isOperator ? [read.value] : who.accounts;
  return { ...read, value: known.find((each) => each?.id === id) };
};

/** The server has another release than this page since: a deployment takes the parts that the page has not loaded yet. */
const isReplaced = async (): Promise<boolean> => {
  const own = document.querySelector('script[type=module]')?.getAttribute('src') ?? '';
  const answer = await overNetwork(fetch('/dashboard'));
  return answer.ok && !(await overNetwork(answer.text())).includes(own);
};

/** All screens are one part of the bundle, after the first view. Of many parts, each would be a request and, on AWS, perhaps a cold start. */
const loadComponents = () => overNetwork(import('./all-screens.ts'));

let components: Awaited<ReturnType<typeof loadComponents>> | undefined;

/** A browser tries a part once for each page. */
let hasFailed = false;

const openComponents = async (): Promise<void> => {
  try {
    components ??= await loadComponents();
  } catch (thrown) {
    const isFirst = !hasFailed;
    hasFailed = true;
    // It throws without a connection, where a reload would end in the browser's own page.
    if (!(await isReplaced()) && isFirst) throw thrown;
    location.reload();
    // It shows that it is loading until then.
    return new Promise(() => undefined);
  }
};

const Opened = ({ found, isEmpty }: { readonly found: Found | undefined; readonly isEmpty: boolean }) => {
  const loaded = useLoad(openComponents, []);
  if (isEmpty)
    return (
      <Screen title="No account yet">
        <Empty title="You are not a member of an account">Ask its owner to invite you.</Empty>
      </Screen>
    );
  if (!found)
    return (
      <Screen title="Not found">
        <Empty title="This page does not exist, or you may not see it" />
      </Screen>
    );
  if (loaded.problem)
    return (
      <Screen title="This page cannot be opened">
        <Trouble problem={loaded.problem} retry={loaded.reload} />
      </Screen>
    );
  if (!components) return <Loading />;
  const Open: ComponentType<ScreenProps> = components[found.screen.component];
  return (
    <Drawn key={found.screen.path + JSON.stringify(found.params)}>
      <Open params={found.params} />
    </Drawn>
  );
};

const undrawn: Problem = {
  code: 'unexpected',
  message: 'This page received data that it cannot display. Try again.',
  requestId: null,
};

/** A screen; or, when it cannot be drawn, that. What surrounds it stays. */
const Drawn = ({ children }: { readonly children: ComponentChildren }) => {
  const [thrown, drawAgain] = useErrorBoundary((error) => console.error(error));
  if (thrown === undefined) return children;
  return (
    <Screen title="This page cannot be shown">
      <Trouble problem={undrawn} retry={drawAgain} />
    </Screen>
  );
};
