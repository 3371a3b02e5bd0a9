import { once } from 'node:events';
import * as http from 'node:http';
import { text } from 'node:stream/consumers';
import { listenLocally } from '../../infra/local/listen-locally.ts';
import { scopes } from '../../shared/accounts/api-key.ts';
import type { StackFile } from '../stack-process.ts';

/** What is asked of a stack, again and again. Resolves to whether it went well, when the last that follows from it has happened. */
export type Question = (n: number) => Promise<boolean>;

const agent = new http.Agent({ keepAlive: true, maxSockets: 512 });

const request = async (
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
  localAddress?: string,
): Promise<{ readonly status: number; readonly body: string }> => {
  const sent = http.request(url, {
    method,
    agent,
    localAddress,
    headers: { 'content-type': 'application/json', ...headers },
  });
  sent.end(body && JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [http.IncomingMessage];
  return { status: response.statusCode ?? 0, body: await text(response) };
};

const idIn = (body: string): string => /"id":"([^"]+)"/.exec(body)?.[1] ?? '';

const longestWaitMs = 10_000;

/** A receiver of webhooks that tells of the first arrival of each message. */
const startReceiver = async () => {
  const waiting = new Map<string, () => void>();
  // An event can be quicker than the answer to its message.
  const early = new Set<string>();
  const server = http.createServer(async (incoming, response) => {
    const body = await text(incoming);
    response.writeHead(204).end();
    const id = /"data":\{[^}]*"id":"([^"]+)"/.exec(body)?.[1] ?? idIn(body);
    const tell = waiting.get(id);
    waiting.delete(id);
    if (tell) tell();
    else early.add(id);
  });
  const { url } = await listenLocally(server);
  return {
    url: `${url}/hooks`,
    /** False: it did not arrive in time. */
    arrival: (id: string): Promise<boolean> =>
      new Promise((resolve) => {
        if (early.delete(id)) resolve(true);
        else {
          const timer = setTimeout(resolve, longestWaitMs, false);
          waiting.set(id, () => {
            clearTimeout(timer);
            resolve(true);
          });
        }
      }),
  };
};

/** Requests of the floor: those whose functions it replaces. */
export const floorQuestions = ({ apiBaseUrl, keys }: StackFile): Readonly<Record<string, Question>> => {
  const key = { 'x-api-key': keys.messaging };
  const isWell = ({ status }: { readonly status: number }) => status < 300;
  return {
    'POST /messages (email)': async (n) => isWell(await request(`${apiBaseUrl}/messages`, 'POST', key, mailTo(n))),
    'GET /messages/{id}': async () => isWell(await request(`${apiBaseUrl}/messages/floor`, 'GET', key)),
  };
};

const recipients = 20;
const mailTo = (n: number) => ({
  channel: 'email',
  to: `reader${n % recipients}@example.com`,
  subject: 'Hello',
  text: 'It works.',
});

/** Payers are counted by address. */
const payerAddress = (n: number): string | undefined =>
  process.platform === 'linux' ? `127.1.${(n >> 6) & 255}.${(n & 63) + 1}` : undefined;

const unlimited = { name: 'load', rateLimitPerMinute: 100_000 };

/** What is asked, and the command lines of the functions that answer. */
export const answering = {
  'GET /messages/{id}': /messages-get-message/,
  'GET /messages, one page': /messages-list-messages/,
  'GET /contacts, one page': /contacts-list-contacts/,
  'GET /analytics/messages': /analytics-get-message-analytics/,
  'GET the account, as the dashboard does': /admin-get-account/,
  'POST /v1/checkout-sessions': /checkout-create-session/,
  'a session and its payment': /checkout-(create-session|begin-payment)/,
  'POST /messages (email)': /messages-send-message/,
  'POST /messages (sms)': /messages-send-message/,
  'an email until its webhook': /function-process/,
} as const satisfies Readonly<Record<string, RegExp>>;

/** Everything that the stack is asked, after what it needs for that is made. */
export const questionsOf = async (file: StackFile): Promise<Readonly<Record<string, Question>>> => {
  const { apiBaseUrl, checkoutBaseUrl, adminBaseUrl, adminToken, accountId } = file;
  const operator = { authorization: `Bearer ${adminToken}` };
  const admin = `${adminBaseUrl}/accounts/${accountId}`;
  const keyOf = async (path: string, wishes: object): Promise<string> =>
    /"key":"([^"]+)"/.exec((await request(admin + path, 'POST', operator, { ...unlimited, ...wishes })).body)?.[1] ??
    '';
  const key = { 'x-api-key': await keyOf('/api-keys', { scopes }) };
  const secret = { authorization: `Bearer ${await keyOf('/checkout-keys', { kind: 'secret', livemode: false })}` };
  const api = (method: string, path: string, body?: object) => request(apiBaseUrl + path, method, key, body);
  const isWell = ({ status }: { readonly status: number }) => status < 300;

  const credits = { email: 1e6, smsMasked: 1e6, smsNonMasked: 1e6 };
  await request(`${admin}/credits`, 'PUT', operator, credits);
  const contacts = await api('GET', '/contacts');
  const phone = /"phone":"(\+\d+)"/.exec(contacts.body)?.[1];
  const first = await api('POST', '/messages', mailTo(0));
  const id = idIn(first.body);
  const receiver = await startReceiver();
  const subscription = { name: 'load', url: receiver.url, events: ['message.sent'] };

  const session = async () => {
    const body = { amountMinor: 600_000, currency: 'BDT', description: 'Two books' };
    return request(`${checkoutBaseUrl}/v1/checkout-sessions`, 'POST', secret, body);
  };
  const pay: Question = async (n) => {
    const made = await session();
    const method = /"acceptanceMethodId":"([^"]+)"/.exec(made.body)?.[1];
    const path = `/v1/public/checkout-sessions/${idIn(made.body)}/payments`;
    return isWell(await request(checkoutBaseUrl + path, 'POST', {}, { acceptanceMethodId: method }, payerAddress(n)));
  };

  return {
    'GET /messages/{id}': async () => isWell(await api('GET', `/messages/${id}`)),
    'GET /messages, one page': async () => isWell(await api('GET', '/messages')),
    'GET /contacts, one page': async () => isWell(await api('GET', '/contacts')),
    'GET /analytics/messages': async () => isWell(await api('GET', '/analytics/messages')),
    'GET the account, as the dashboard does': async () => isWell(await request(admin, 'GET', operator)),
    'POST /v1/checkout-sessions': async () => isWell(await session()),
    'a session and its payment': pay,
    'POST /messages (email)': async (n) => isWell(await api('POST', '/messages', mailTo(n))),
    ...(phone && {
      'POST /messages (sms)': async () =>
        isWell(await api('POST', '/messages', { channel: 'sms', to: phone, text: 'It works.' })),
    }),
    'an email until its webhook': async (n) => {
      if (n === 0 && !isWell(await api('POST', '/webhooks', subscription))) throw new Error('no subscription was made');
      const sent = await api('POST', '/messages', mailTo(n));
      if (!isWell(sent)) return false;
      return receiver.arrival(idIn(sent.body));
    },
  } satisfies Partial<Record<keyof typeof answering, Question>>;
};
