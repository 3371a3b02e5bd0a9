import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { contextWith } from '../../test/lambda-context.ts';
import { assertInTime } from '../kit/time-limit.ts';
import { browser } from './browser.ts';
import { callback } from './callback.ts';
import { unlimited } from './callback-fixture.ts';
import { checkoutPage } from './checkout-page.ts';
import { contract } from './contract.ts';
import { endpoint } from './endpoint.ts';
import { form } from './form.ts';
import { keylessSurface } from './keyless-surface.ts';
import { picture } from './page.ts';

const pages = { done: '', doneForAddress: '', erased: '', unknown: '', busy: '', failed: 'The form failed.' };
const payers = { identify: async () => ({ who: {}, headers: { 'RateLimit-Limit': '600' } }) };
const trouble = (_: string, code: string, hasAddress: boolean): string => `${code}, ${hasAddress ? 'shown' : 'sent'}`;

type Work = () => Promise<never>;

const handlers = {
  endpoint: {
    make: (work: Work) => endpoint(contract({ summary: 'Slow.', status: 204 }), work, keylessSurface),
    type: 'application/json; charset=utf-8',
    body: '"code":"internal_error"',
  },
  checkoutPage: {
    make: (work: Work) => checkoutPage(work, { payers, trouble }),
    type: 'text/html; charset=utf-8',
    body: 'internal_error, sent',
  },
  callback: {
    make: (work: Work) => callback(work, unlimited),
    type: 'text/plain; charset=utf-8',
    body: 'failed',
  },
  form: {
    make: (work: Work) => form(work, pages, unlimited),
    type: 'text/html; charset=utf-8',
    body: 'The form failed.',
  },
  browser: {
    make: (work: Work) => browser(work),
    type: 'application/json; charset=utf-8',
    body: '"code":"internal_error"',
  },
  serving: {
    make: (work: Work) => picture(work),
    type: 'application/json; charset=utf-8',
    body: '"code":"internal_error"',
  },
} as const;

const sent: unknown = {
  routeKey: 'POST /slow',
  rawPath: '/slow',
  rawQueryString: '',
  headers: {},
  requestContext: { requestId: 'r', http: { method: 'POST', path: '/slow', sourceIp: '203.0.113.7' } },
};

const event = sent as never;

it.each(Object.entries(handlers))(
  'a handler of the kind %s whose work outlasts its time answers before it is cut off, and its work makes no further call',
  async (_, { make, type, body }) => {
    const remainingMs = 400;
    let cutOffAtMs = 0;
    const late = Promise.withResolvers<void>();
    const further = vi.fn(assertInTime);
    const work = async () => {
      await late.promise;
      return further() as never;
    };
    const context = contextWith(() => {
      cutOffAtMs = Date.now() + remainingMs;
      return remainingMs;
    });
    // Timers run in their order, however late a busy machine runs them.
    const answer = make(work)(event, context);
    const cutOff = sleep(remainingMs, 'cut off');
    expect(await Promise.race([answer, cutOff])).toMatchObject({
      statusCode: 503,
      headers: { 'Content-Type': type, 'X-Request-Id': 'r', 'Retry-After': '2' },
      body: expect.stringContaining(body),
    });
    await vi.waitUntil(() => Date.now() > cutOffAtMs);
    late.resolve();
    await vi.waitFor(() => expect(further).toHaveBeenCalledOnce());
    expect(further.mock.results).toMatchObject([{ type: 'throw' }]);
  },
);

it('a payer sees the state of the rate limit with a failure too', async () => {
  const handler = checkoutPage(async () => Promise.reject(new Error('secret')), { payers, trouble });
  expect(await handler(event, contextWith())).toMatchObject({
    statusCode: 500,
    headers: { 'RateLimit-Limit': '600' },
  });
});
