import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Operations } from '../client/admin.ts';
import { ServiceError } from '../client/client.ts';
import { adminApi, forgetKeys, lostAnswer, problemOf } from './apis.ts';
import { type Store, storeOf } from './parts/store.ts';
import { toast } from './parts/toast.tsx';
import { closeUnasked } from './parts/unsaved.ts';

export type Person = Operations['GET /me']['reply']['data'];

export type Role = 'operator' | Person['accounts'][number]['role'];

/** The account whose screens are open, and what the person may do there. */
export interface AccountInView {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly status: Person['accounts'][number]['status'];
}

/** The person who is signed in; `undefined` until it is known. */
export const person: Store<Person | undefined> = storeOf<Person | undefined>(undefined);

const sessionKey = 'dashboard:session';

/** Shows who is signed in. Where it is another person than before, the page begins anew, and no key acts for the one before. */
export const showPerson = (now: Person): void => {
  const before = person.get();
  const isOther = before !== undefined && before.email !== now.email;
  if (before?.sessionId !== now.sessionId) forgetKeys();
  localStorage.setItem(sessionKey, now.sessionId ?? '');
  person.set(now);
  if (isOther) location.reload();
};

/** Reads again who is signed in: their role, or the name of their account, may have changed. Without an answer it stays, until the next screen. */
export const readPersonAgain = (): Promise<void> =>
  adminApi.call('GET /me').then(
    ({ data }) => showPerson(data),
    () => undefined,
  );

/** Another tab has begun a session, which this one has with it. */
export const followSessions = (): void =>
  addEventListener('storage', ({ key }) => {
    if (key === sessionKey && person.get()) readPersonAgain();
  });

export const AccountContext = createContext<AccountInView>({ id: '', name: '', role: 'viewer', status: 'active' });

/** The account of this screen. */
export const useAccount = (): AccountInView => useContext(AccountContext);

/** Keys, webhooks, templates, messages and contacts. */
export const mayBuild = ({ role }: AccountInView): boolean => role !== 'viewer';
/** Members, settings and money. */
export const mayOwn = ({ role }: AccountInView): boolean => role === 'owner' || role === 'operator';

const returnKey = 'dashboard:return-to';
const lastKey = 'dashboard:last-account';

const leaveDashboard = (): void => {
  closeUnasked();
  // A session that has ended left it there.
  localStorage.removeItem(returnKey);
  location.assign('/dashboard/sign-in');
};

/** Says so where the person is still signed in, or may be. A session that has ended already needs no sign-out. */
export const signOut = (): Promise<void> =>
  adminApi.call('POST /sign-out').then(leaveDashboard, (thrown: unknown) => {
    if (thrown instanceof ServiceError && thrown.status === 401) return leaveDashboard();
    const lost = lostAnswer(thrown, 'You may still be signed in.');
    toast(lost?.message ?? `You are still signed in. ${problemOf(thrown).message}`, 'bad');
  });

const nameOf = (who: Person | undefined): string => who?.email ?? '';

/** The link of the mail opens another tab, so the way back is kept for all of them, with the address of its person, if it is known. */
export const rememberPlace = (): void =>
  localStorage.setItem(returnKey, `${nameOf(person.get())} ${location.pathname}${location.search}`);

/** Where this person was. The next one to sign in with this browser does not see where another one was. */
export const takePlace = (who: Person): string | undefined => {
  const [name, place] = (localStorage.getItem(returnKey) ?? '').split(' ');
  localStorage.removeItem(returnKey);
  return (name === '' || name === nameOf(who)) && place?.startsWith('/dashboard/') ? place : undefined;
};

export const rememberAccount = (id: string): void => localStorage.setItem(lastKey, id);
export const lastAccount = (): string | undefined => localStorage.getItem(lastKey) ?? undefined;
