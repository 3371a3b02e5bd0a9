import { checkoutApi, isNotFound, messagingApi } from '../apis.ts';
import type { Mode } from './mode.tsx';

const parts = /^([0-9a-f]{8})([0-9a-f]{4})(7[0-9a-f]{3})([89ab][0-9a-f]{3})([0-9a-f]{12})$/;

/** The id that a text is, in letters of either case, and also where it was read aloud: with spaces or nothing for its hyphens. */
const idIn = (text: string): string | undefined =>
  parts.exec(text.replace(/[\s-]/g, '').toLowerCase())?.slice(1).join('-');

export const isId = (text: string): boolean => idIn(text) !== undefined;

const placesIn = (account: string, mode: Mode, path: { readonly id: string }): Promise<string>[] => {
  const api = checkoutApi(account, mode === 'live');
  return [
    api.call('GET /payments/{id}', { path }).then(() => `/payments/${path.id}?mode=${mode}`),
    api.call('GET /checkout-sessions/{id}', { path }).then(() => `/checkout-sessions/${path.id}?mode=${mode}`),
    api.call('GET /refunds/{id}', { path }).then(({ data }) => `/payments/${data.paymentId}?mode=${mode}`),
  ];
};

/** The screen of the account's payment, session, refund or message with this id, in either mode; undefined where there is none. */
export const findById = async (account: string, text: string): Promise<string | undefined> => {
  const path = { id: idIn(text) ?? text };
  const answers = await Promise.allSettled([
    messagingApi(account)
      .call('GET /messages/{id}', { path })
      .then(() => `/messages/${path.id}`),
    ...placesIn(account, 'test', path),
    ...placesIn(account, 'live', path),
  ]);
  const found = answers.find((answer) => answer.status === 'fulfilled');
  if (found) return found.value;
  const unknown = answers.find((answer) => answer.status === 'rejected' && !isNotFound(answer.reason));
  if (unknown?.status === 'rejected') throw unknown.reason;
  return undefined;
};
