import { expect, it, onTestFinished, vi } from 'vitest';
import { askToSignIn } from '../../../shared/http/ask-to-sign-in.ts';
import { browser } from '../../../shared/http/browser.ts';
import { contextWith } from '../../../test/lambda-context.ts';

const start = (waitSeconds?: number) => {
  const asked: string[] = [];
  const counts = new Map<string, number>();
  const handler = browser(
    askToSignIn({
      signIns: { ask: async (email) => void asked.push(email) },
      rates: {
        count: async (subject, nowMs, { windowMinutes } = { windowMinutes: 1 }) => {
          const window = `${subject} ${Math.floor(nowMs / 60_000 / windowMinutes)}`;
          counts.set(window, (counts.get(window) ?? 0) + 1);
          return counts.get(window) ?? 0;
        },
      },
      limit: async () => waitSeconds,
    }),
  );
  let sourceIp = '192.0.2.1';
  const send = async (body: string, type = 'application/json', more: Readonly<Record<string, string>> = {}) => {
    const requestContext = { requestId: 'r', http: { method: 'POST', sourceIp } };
    const event = { body, headers: { 'content-type': type, ...more }, requestContext };
    const { statusCode, headers = {}, body: text } = await handler(event as never, contextWith());
    return { status: statusCode, to: headers['Location'], text };
  };
  const from = (address: string): void => {
    sourceIp = address;
  };
  return { asked, send, from };
};

it('202 for every address, and one address gets three mails in a minute', async () => {
  const { asked, send } = start();
  for (let n = 0; n < 5; n += 1)
    expect(await send('{"email":"Ada@example.com"}')).toMatchObject({
      status: 202,
      text: '{"data":{"email":"ada@example.com"}}',
    });
  expect(asked).toEqual(Array.from({ length: 3 }, () => 'ada@example.com'));
});

it('202 but no more mails than 60 a day that one client asks for one address; another client gets it a link', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { asked, send, from } = start();
  for (let n = 0; n < 90; n += 1) {
    vi.setSystemTime(Date.UTC(2026, 10, 20, 0, Math.floor(n / 3)));
    expect((await send('{"email":"ada@example.com"}')).status).toBe(202);
  }
  // In a minute in which the first client has asked three times, too.
  expect(asked).toHaveLength(60);
  from('192.0.2.2');
  await send('{"email":"ada@example.com"}');
  expect(asked).toHaveLength(61);
  from('192.0.2.1');
  vi.setSystemTime(Date.UTC(2026, 10, 21));
  await send('{"email":"ada@example.com"}');
  expect(asked).toHaveLength(62);
});

it('303 for a form, 400 for what is no address, 429 for a client address over its limit', async () => {
  const form = 'application/x-www-form-urlencoded';
  expect(await start().send('email=ada%40example.com', form)).toMatchObject({
    status: 303,
    to: '/dashboard/sign-in?sent=1',
  });
  expect(await start().send('email=ada', form)).toMatchObject({ status: 303, to: '/dashboard/sign-in?problem=email' });
  expect((await start().send('{"email":"ada"}')).status).toBe(400);
  expect((await start().send('null')).status).toBe(400);
  expect((await start(20).send('{"email":"ada@example.com"}')).status).toBe(429);
});

it('403 for a page of another site, which would have its visitors send mails', async () => {
  const host = { host: 'pay.example.com' };
  const { asked, send } = start();
  const from = async (headers: Readonly<Record<string, string>>) =>
    (await send('{"email":"ada@example.com"}', 'text/plain', { ...host, ...headers })).status;
  expect(await from({ 'sec-fetch-site': 'cross-site' })).toBe(403);
  expect(await from({ origin: 'https://evil.example' })).toBe(403);
  expect(await from({ origin: 'null' })).toBe(403);
  expect(asked).toEqual([]);
  expect(await from({ 'sec-fetch-site': 'same-origin', origin: 'https://pay.example.com' })).toBe(202);
  expect(await from({ origin: 'https://pay.example.com' })).toBe(202);
});
