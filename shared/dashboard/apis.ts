import * as admin from '../client/admin.ts';
import * as checkout from '../client/checkout.ts';
import { ConnectionError, openClient, ServiceError } from '../client/client.ts';
import * as messaging from '../client/messaging.ts';
import { noteServerTime, serverNow } from './server-time.ts';

/** A lost answer or a 5xx is repeated twice, and soon; a person waits no longer. */
const patience = { attempts: 3, longestWaitMs: 5_000, timeoutMs: 35_000 } as const;

/** Sends this with the session's cookie, and no key. */
const withCookie: typeof fetch = (url, init) => {
  const headers = new Headers(init?.headers);
  headers.delete('authorization');
  return fetch(url, { ...init, headers });
};

/** What a phone on a slow line takes to send this: 16 KB a second. */
export const sendingMs = (bytes: number): number => bytes / 16;

/** Of a call that carries files: the service answers once it has all. */
export const uploadMs = (body: object): number => patience.timeoutMs + sendingMs(JSON.stringify(body).length);

let whenSignedOut = (): void => undefined;
/** What happens when the session has ended: the person signs in again, and comes back. */
export const onSignedOut = (act: () => void): void => {
  whenSignedOut = act;
};

export const adminApi = openClient<admin.Operations>({
  baseUrl: '/admin/v1',
  key: '',
  replayable: admin.replayable,
  ...patience,
  fetch: async (url, init) => {
    const answer = await withCookie(url, init);
    noteServerTime(answer);
    if (answer.status === 401) whenSignedOut();
    return answer;
  },
});

type KeyFor = { readonly api: 'messaging' } | { readonly api: 'checkout'; readonly livemode: boolean };

const renewBeforeMs = 60_000;

/** The short-lived keys, by what they are for. */
const lent = new Map<string, Promise<{ readonly key: string; readonly expiresAt: string }>>();

/** What was lent in a session acts in the name of its person. */
export const forgetKeys = (): void => lent.clear();

/** Calls of a public API with a short-lived key, which is kept in memory only, and renewed before it expires or once it is refused. */
const withAccessKey = (account: string, wanted: KeyFor): typeof fetch => {
  const use = JSON.stringify([account, wanted]);
  const renew = () => {
    const made = adminApi
      .call('POST /accounts/{id}/access-keys', {
        path: { id: account },
        body: wanted,
        // By the second try of a person, the first one waits no longer.
        signal: AbortSignal.timeout(quietMs),
      })
      .then(({ data }) => data);
    lent.set(use, made);
    // A refusal is not remembered: the next call asks again.
    made.catch(() => {
      if (lent.get(use) === made) lent.delete(use);
    });
    return made;
  };
  const keyOf = async (): Promise<string> => {
    const asked = lent.get(use);
    const known = await asked;
    const isFresh = known && Date.parse(known.expiresAt) - serverNow().getTime() > renewBeforeMs;
    // Of calls at the same time, the first renews it for all.
    const now = lent.get(use);
    return (isFresh ? known : await (now === asked ? renew() : (now ?? renew()))).key;
  };
  const send = (url: Parameters<typeof fetch>[0], init: RequestInit | undefined, key: string) => {
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${key}`);
    return fetch(url, { ...init, headers, credentials: 'omit' });
  };
  return async (url, init) => {
    const key = await keyOf();
    const answer = await send(url, init, key);
    if (answer.status !== 401) return answer;
    await answer.body?.cancel();
    // Another call with this key may have renewed it since.
    if ((await lent.get(use)?.catch(() => undefined))?.key === key) lent.delete(use);
    return send(url, init, await keyOf());
  };
};

const remembered = <T>(make: (account: string) => T): ((account: string) => T) => {
  const made = new Map<string, T>();
  return (account) => {
    const known = made.get(account) ?? make(account);
    made.set(account, known);
    return known;
  };
};

/** The messaging API of an account: `messagingApi(account.id).call('GET /messages', { query })`. */
export const messagingApi = remembered((account) =>
  openClient<messaging.Operations>({
    baseUrl: '/api/v1',
    key: '',
    replayable: messaging.replayable,
    ...patience,
    fetch: withAccessKey(account, { api: 'messaging' }),
  }),
);

const checkoutApiIn = (livemode: boolean) =>
  remembered((account) =>
    openClient<checkout.Operations>({
      baseUrl: '/v1',
      key: '',
      replayable: checkout.replayable,
      ...patience,
      fetch: withAccessKey(account, { api: 'checkout', livemode }),
    }),
  );
const [liveCheckout, testCheckout] = [checkoutApiIn(true), checkoutApiIn(false)];

/** The checkout API of an account in one of its modes. */
export const checkoutApi = (account: string, livemode: boolean) => (livemode ? liveCheckout : testCheckout)(account);

/** What went wrong, for people. */
export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly requestId: string | null;
}

/** A hotel's network, for example, answers every call with its sign-in page. */
const notOurs = 'The answer did not come from the server. Your network may ask you to sign in first.';

const isLate = (thrown: unknown): boolean => thrown instanceof DOMException && thrown.name === 'TimeoutError';
const isUnanswered = (thrown: unknown): boolean => thrown instanceof ConnectionError || isLate(thrown);

/** How long a person waits before the screen says that there is no answer. */
export const quietMs = 20_000;

/** Of a call that may still be answered, or no longer. */
export const noAnswer: Problem = {
  code: 'offline',
  message: 'The server has not answered. Your connection may be slow or lost.',
  requestId: null,
};

/** The one place where a failed call becomes words. */
export const problemOf = (thrown: unknown): Problem => {
  if (thrown instanceof ServiceError) {
    const { code, message, requestId } = thrown;
    return { code, message, requestId };
  }
  if (isLate(thrown)) return noAnswer;
  if (isUnanswered(thrown))
    return { code: 'offline', message: 'The server cannot be reached. Check your connection.', requestId: null };
  if (thrown instanceof SyntaxError) return { code: 'offline', message: notOurs, requestId: null };
  return { code: 'unexpected', message: thrown instanceof Error ? thrown.message : String(thrown), requestId: null };
};

export const isNotFound = (thrown: unknown): boolean => thrown instanceof ServiceError && thrown.status === 404;

/** Whether the answer to a call was lost: the server may have done it. */
export const isLost = (thrown: unknown): boolean =>
  isUnanswered(thrown) || (thrown instanceof ServiceError && thrown.status >= 500);

/**
 * A call that cannot be repeated safely, and whose answer was lost: the server may have done it, and `remedy` says what to do then. Undefined
 * where the server has refused it.
 */
export const lostAnswer = (thrown: unknown, remedy: string): ServiceError | undefined => {
  if (!isLost(thrown)) return undefined;
  const { code, message, requestId } = problemOf(thrown);
  return new ServiceError({ status: 0, code, message: `${message} ${remedy}`, requestId });
};
