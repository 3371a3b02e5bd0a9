import { createHmac } from 'node:crypto';
import { getEventListeners, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as admin from '../shared/client/admin.ts';
import type { Events as CheckoutEvents } from '../shared/client/checkout.ts';
import { ConnectionError, openClient, ServiceError, type Settings } from '../shared/client/client.ts';
import { sourceOf } from '../shared/client/generate.ts';
import { type Events, type Operations, replayable } from '../shared/client/messaging.ts';
import { SignatureError, verifyCheckoutWebhook, verifyWebhook } from '../shared/client/webhooks.ts';
import { checkoutVector } from '../shared/docs/verify-checkout.ts';
import { signatureVector } from '../shared/docs/verify-snippets.ts';
import { documents } from './openapi-check.ts';

it('the generated types are those of the descriptions', async () => {
  await expect(sourceOf(documents['/api/v1/openapi-full.json'])).toMatchFileSnapshot('../shared/client/messaging.ts');
  await expect(sourceOf(documents['/v1/openapi.json'])).toMatchFileSnapshot('../shared/client/checkout.ts');
  await expect(sourceOf(documents['/admin/v1/openapi.json'])).toMatchFileSnapshot('../shared/client/admin.ts');
});

/** A client whose calls get these answers in turn; an error is a lost answer. */
const scripted = (
  answers: readonly (Response | Error)[],
  {
    random = 1,
    ...settings
  }: Partial<Pick<Settings, 'baseUrl' | 'longestWaitMs' | 'timeoutMs'>> & { readonly random?: number } = {},
) => {
  const calls: { url: string; key: string | null }[] = [];
  const waits: number[] = [];
  const client = openClient<Operations>({
    baseUrl: 'https://api.example/api/v1',
    key: 'mk_test',
    replayable,
    ...settings,
    random: () => random,
    sleep: async (ms) => void waits.push(ms),
    fetch: async (url, init) => {
      calls.push({ url: String(url), key: new Headers(init?.headers).get('idempotency-key') });
      const answer = answers[calls.length - 1];
      if (!(answer instanceof Response)) throw answer ?? new Error('No answer is left.');
      return answer;
    },
  });
  return { client, calls, waits };
};
const refused = (status: number, code: string, headers: Readonly<Record<string, string>> = {}) =>
  Response.json({ error: { code, message: 'No.', docsUrl: '/docs' } }, { status, headers });
const mail = { channel: 'email', to: 'ada@example.com', subject: 'Hello', text: 'It works.' } as const;

describe('the client', () => {
  it('repeats a write with the same key after a lost answer, 429, 5xx and while an attempt is in flight, and waits longer each time or as asked', async () => {
    const passing = [
      new Error('lost'),
      refused(429, 'rate_limited', { 'retry-after': '7' }),
      refused(503, 'internal_error'),
      refused(409, 'idempotency_conflict'),
    ];
    const { client, calls, waits } = scripted([...passing, Response.json({ data: { id: '1' } }, { status: 201 })]);
    expect((await client.call('POST /messages', { body: mail })).data.id).toBe('1');
    expect(new Set(calls.map(({ key }) => key)).size).toBe(1);
    expect(calls[0]?.key).toMatch(/^[\w-]{36}$/);
    expect(waits).toEqual([500, 7_000, 2_000, 4_000]);
  });

  it('takes an attempt for lost that is not answered in time', async () => {
    let asked = 0;
    const silentAtFirst = createServer(({ url = '' }, response) => {
      asked += 1;
      if (asked > 1 && !url.endsWith('/test')) response.end('{"data":{"id":"1"}}');
    }).listen(0, '127.0.0.1');
    await once(silentAtFirst, 'listening');
    const { port } = silentAtFirst.address() as AddressInfo;
    const baseUrl = `http://127.0.0.1:${port}/api/v1`;
    const client = openClient<Operations>({ baseUrl, key: 'mk_test', replayable, timeoutMs: 1_000, random: () => 0 });
    expect((await client.call('POST /messages', { body: mail })).data.id).toBe('1');
    const test = client.call('POST /webhooks/{id}/test', { path: { id: '1' } });
    await expect(test).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(asked).toBeGreaterThan(2);
    silentAtFirst.closeAllConnections();
    silentAtFirst.close();
  });

  it('says by its error that the connection failed, and not of a bug in sending, whose error has the same type elsewhere', async () => {
    const cause = new TypeError('fetch failed');
    const thrownFor = (body: object) =>
      scripted([cause])
        .client.call('POST /webhooks', { body: { name: 'n', url: 'https://example.com', events: [], ...body } })
        .catch((thrown: unknown) => thrown);
    const lost = await thrownFor({});
    expect(lost).toBeInstanceOf(ConnectionError);
    expect(lost).toMatchObject({ message: 'fetch failed', cause });
    const unsent = await thrownFor({ count: 1n });
    expect(unsent).toBeInstanceOf(TypeError);
    expect(unsent).not.toBeInstanceOf(ConnectionError);
  });

  it('rejects with the reason why a call ended, whatever the browser’s `fetch` makes of it, and leaves no listener with its caller', async () => {
    const asked = Promise.withResolvers<void>();
    const open = (timeoutMs: number) =>
      openClient<Operations>({
        ...{ baseUrl: 'https://api.example/api/v1', key: 'mk_test', replayable, timeoutMs, attempts: 1 },
        fetch: (_, init) =>
          new Promise((_, reject) => {
            init?.signal?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
            asked.resolve();
          }),
      });
    const caller = new AbortController();
    const given = open(60_000).call('GET /messages', { signal: caller.signal });
    await asked.promise;
    expect(getEventListeners(caller.signal, 'abort')).toHaveLength(1);
    caller.abort(new Error('Enough.'));
    await expect(given).rejects.toThrow('Enough.');
    expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
    await expect(open(1).call('GET /messages')).rejects.toMatchObject({ name: 'TimeoutError' });
    await expect(open(60_000).call('GET /messages', { timeoutMs: 1 })).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('waits for an answer as long as it takes where its caller sets no limit', async () => {
    const { client, calls } = scripted([Response.json({ data: { id: '1' } }, { status: 201 })], {
      timeoutMs: Infinity,
    });
    expect((await client.call('POST /messages', { body: mail })).data.id).toBe('1');
    expect(calls).toHaveLength(1);
  });

  it('does not repeat a call that is to wait longer than its caller wants', async () => {
    const answers = [refused(503, 'internal_error'), refused(429, 'rate_limited', { 'retry-after': '6' })];
    const { client, calls, waits } = scripted(answers, { longestWaitMs: 5_000 });
    await expect(client.call('POST /messages', { body: mail })).rejects.toMatchObject({ code: 'rate_limited' });
    expect([calls.length, waits]).toEqual([2, [500]]);
  });

  it('repeats a call whose answer breaks off in its middle, but no write that takes no key', async () => {
    const begun = new TextEncoder().encode('{"data":{"i');
    const broken = () => {
      const parts = [() => begun, () => Promise.reject(new TypeError('terminated'))];
      const body = new ReadableStream({ pull: async (stream) => stream.enqueue(await parts.shift()?.()) });
      return new Response(body, { status: 201 });
    };
    const { client, calls } = scripted([broken(), Response.json({ data: { id: '1' } }, { status: 201 })]);
    expect((await client.call('POST /messages', { body: mail })).data.id).toBe('1');
    expect(new Set(calls.map(({ key }) => key)).size).toBe(1);
    const keyless = scripted([broken(), Response.json({ data: {} })]);
    const test = keyless.client.call('POST /webhooks/{id}/test', { path: { id: '1' } });
    await expect(test).rejects.toThrow(ConnectionError);
    await expect(test).rejects.toThrow('terminated');
    expect(keyless.calls).toHaveLength(1);
  });

  it('takes a 404 for success where an earlier attempt may have deleted what is asked for, and nowhere else', async () => {
    const gone = () => refused(404, 'contact_not_found');
    const deleted = (...earlier: (Response | Error)[]) =>
      scripted([...earlier, gone()]).client.call('DELETE /contacts/{id}', { path: { id: '1' } });
    expect(await deleted(new Error('lost'))).toBeUndefined();
    expect(await deleted(refused(503, 'internal_error'))).toBeUndefined();
    await expect(deleted()).rejects.toMatchObject({ code: 'contact_not_found' });
    await expect(deleted(refused(429, 'rate_limited'))).rejects.toMatchObject({ code: 'contact_not_found' });
    const read = scripted([new Error('lost'), gone()]).client.call('GET /contacts/{id}', { path: { id: '1' } });
    await expect(read).rejects.toMatchObject({ code: 'contact_not_found' });
  });

  it('gives up as soon as its caller does, also while it waits as Retry-After asks', async () => {
    const caller = new AbortController();
    const client = openClient<Operations>({
      baseUrl: 'https://api.example/api/v1',
      key: 'mk_test',
      replayable,
      fetch: async () => {
        setImmediate(() => caller.abort(new Error('Enough.')));
        return refused(429, 'rate_limited', { 'retry-after': '60' });
      },
    });
    await expect(client.call('GET /messages', { signal: caller.signal })).rejects.toThrow('Enough.');
  });

  it('sends the caller’s own key, and none with a read', async () => {
    const { client, calls } = scripted([Response.json({ data: {} }), Response.json({ data: {} })]);
    await client.call('POST /messages', { body: mail, idempotencyKey: 'order-1042' });
    await client.call('GET /messages/{id}', { path: { id: 'a/b' } });
    expect(calls.map(({ key }) => key)).toEqual(['order-1042', null]);
    expect(calls[1]?.url).toBe('https://api.example/api/v1/messages/a%2Fb');
  });

  it('makes a key in place of an empty one, which is none to the service', async () => {
    const { client, calls } = scripted([new Error('lost'), Response.json({ data: { id: '1' } }, { status: 201 })]);
    await client.call('POST /messages', { body: mail, idempotencyKey: '' });
    expect(calls[0]?.key).toMatch(/^[\w-]{36}$/);
    expect(calls[1]?.key).toBe(calls[0]?.key);
  });

  it('takes a base URL with or without a slash at its end', async () => {
    const { client, calls } = scripted([Response.json({ data: [] })], { baseUrl: 'https://api.example/api/v1/' });
    await client.call('GET /messages');
    expect(calls[0]?.url).toBe('https://api.example/api/v1/messages');
  });

  it('sets nothing a second time that may have been set: it would override what has happened since', async () => {
    const set = (...answers: (Response | Error)[]) => {
      const fetch = async (): Promise<Response> => {
        const answer = answers.shift() ?? expect.fail();
        if (answer instanceof Error) throw answer;
        return answer;
      };
      const client = openClient<admin.Operations>({
        ...{ baseUrl: 'https://api.example/admin/v1', key: 'ot_test', replayable: admin.replayable, fetch },
        random: () => 0,
      });
      const body = { email: 1, smsMasked: 1, smsNonMasked: 1 };
      const done = () => answers.length;
      return client.call('PUT /accounts/{id}/credits', { path: { id: '1' }, body }).then(done, done);
    };
    expect(await set(new Error('lost'), Response.json({}))).toBe(1);
    expect(await set(refused(503, 'internal_error'), Response.json({}))).toBe(1);
    expect(await set(refused(429, 'rate_limited'), Response.json({}))).toBe(0);
  });

  it('repeats a write that takes no key only where it had no effect', async () => {
    const create = (...answers: (Response | Error)[]) => {
      const { client, calls } = scripted(answers);
      const body = { name: 'n', url: 'https://example.com', events: ['message.sent' as const] };
      return client.call('POST /webhooks', { body }).then(
        () => calls.length,
        () => calls.length,
      );
    };
    expect(await create(new Error('lost'), Response.json({}))).toBe(1);
    expect(await create(refused(503, 'internal_error'), Response.json({}))).toBe(1);
    expect(await create(refused(429, 'rate_limited'), Response.json({}))).toBe(2);
  });

  it('gives up on a refusal with its code, message, status and request id, in each shape', async () => {
    const headers = { 'x-request-id': 'r-1' };
    const older = { statusCode: 404, error: 'webhook_not_found', message: 'No.', timestamp: '', path: '' };
    for (const [answer, code, message] of [
      [refused(404, 'message_not_found', headers), 'message_not_found', 'No.'],
      [Response.json(older, { status: 404, headers }), 'webhook_not_found', 'No.'],
      [Response.json({ message: 'Not Found' }, { status: 404, headers }), 'unknown', 'Not Found'],
      [new Response('<h1>?</h1>', { status: 404, headers }), 'unknown', 'The server answered with HTTP status 404.'],
    ] as const) {
      const { client, calls } = scripted([answer]);
      const error = await client.call('GET /messages/{id}', { path: { id: '1' } }).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ServiceError);
      expect(error).toMatchObject({ status: 404, code, message, requestId: 'r-1' });
      expect(calls).toHaveLength(1);
    }
  });

  it.each(['.', '..'])('sends no call with the id %s, which would be another operation', async (id) => {
    const { client, calls } = scripted([]);
    const call = client.call('GET /messages/{id}/events', { path: { id } });
    await expect(call).rejects.toMatchObject({ status: 404, code: 'not_found' });
    expect(calls).toEqual([]);
  });

  it('gives up after five attempts', async () => {
    const { client, calls } = scripted(Array.from({ length: 9 }, () => refused(500, 'internal_error')));
    await expect(client.call('GET /messages/{id}', { path: { id: '1' } })).rejects.toMatchObject({ status: 500 });
    expect(calls).toHaveLength(5);
  });

  it('reads lists to their end, by cursor and by page', async () => {
    const pageOf = (ids: readonly string[], beside: object) =>
      Response.json({ data: ids.map((id) => ({ id })), ...beside });
    const byCursor = scripted([
      pageOf(['1', '2'], { pagination: { cursor: '2', hasMore: true } }),
      pageOf(['3'], { pagination: { cursor: null, hasMore: false } }),
    ]);
    const byPage = scripted([
      pageOf(['1', '2'], { pagination: { page: 1, limit: 2, total: 3, totalPages: 2 } }),
      pageOf(['3'], { pagination: { page: 2, limit: 2, total: 3, totalPages: 2 } }),
    ]);
    const idsOf = async (rows: AsyncIterable<{ readonly id: string }>) => {
      const ids = [];
      for await (const { id } of rows) ids.push(id);
      return ids;
    };
    expect(await idsOf(byCursor.client.all('GET /messages', { query: { limit: 2 } }))).toEqual(['1', '2', '3']);
    expect(await idsOf(byPage.client.all('GET /contacts'))).toEqual(['1', '2', '3']);
    expect(byCursor.calls[1]?.url).toBe('https://api.example/api/v1/messages?limit=2&cursor=2');
    expect(byPage.calls[1]?.url).toBe('https://api.example/api/v1/contacts?page=2');
  });

  it('waits a random time below a bound that doubles, and never over 20 seconds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.double({ min: 0, max: 1, noNaN: true }), async (random) => {
        const lost = Array.from({ length: 4 }, () => new Error('lost'));
        const { client, waits } = scripted([...lost, Response.json({ data: {} })], { random });
        await client.call('GET /messages/{id}', { path: { id: '1' } });
        expect(waits).toEqual([500, 1_000, 2_000, 4_000].map((bound) => random * bound));
      }),
      { numRuns: 20 },
    );
  });
});

describe('verifyWebhook', () => {
  const { secret, timestamp, body, headers: known, eventId } = signatureVector;
  const headers = new Headers({ ...known });
  const standard = new Headers(Object.entries(known).filter(([name]) => name.startsWith('webhook-')));
  const verify = (changes: object) =>
    verifyWebhook<Events>({ body, headers, secret, nowSeconds: timestamp, ...changes });

  it('gives the event of a delivery that is signed as ours or as Standard Webhooks', async () => {
    for (const each of [headers, standard]) {
      expect(await verify({ headers: each })).toMatchObject({ id: eventId, event: 'message.sent' });
    }
  });

  it('accepts any of the signatures during a rotation', async () => {
    const other = 'f'.repeat(48);
    const hex = createHmac('sha256', other).update(`${timestamp}.${body}`).digest('hex');
    const base64 = createHmac('sha256', other).update(`${eventId}.${timestamp}.${body}`).digest('base64');
    const ours = new Headers({
      'X-Service-Signature': `t=${timestamp},v1=${hex},${known['X-Service-Signature'].split(',')[1]}`,
    });
    const theirs = new Headers({
      ...Object.fromEntries(standard),
      'webhook-signature': `v1,${base64} ${known['webhook-signature']}`,
    });
    for (const both of [ours, theirs]) {
      for (const each of [secret, other]) expect(await verify({ headers: both, secret: each })).toBeDefined();
      await expect(verify({ headers: both, secret: 'x' })).rejects.toThrow(SignatureError);
    }
  });

  it('rejects another body, secret and time, and a delivery without a signature', async () => {
    for (const changes of [
      { body: `${body} ` },
      { secret: 'x'.repeat(48) },
      { nowSeconds: timestamp + 301 },
      { nowSeconds: timestamp - 301 },
      { headers: new Headers() },
      { headers: new Headers({ 'X-Service-Signature': `t=${timestamp},v1=${'0'.repeat(64)}` }) },
      { headers: new Headers({ 'X-Webhook-Signature': known['X-Webhook-Signature'] }) },
    ]) {
      await expect(verify(changes)).rejects.toThrow(SignatureError);
    }
  });

  it.each([-301, 301])(
    'names the difference of the clocks where a delivery is signed %i s from now',
    async (seconds) => {
      await expect(verify({ nowSeconds: timestamp - seconds })).rejects.toThrow(
        'The time of the signature differs from this clock by more than 300 seconds.',
      );
    },
  );

  it.each(['v1,_', 'v1,A', 'v1,AA=', `v1,${'_'.repeat(43)}=`])(
    'rejects %s, which is no signature, like a wrong one',
    async (given) => {
      const headers = new Headers({ ...Object.fromEntries(standard), 'webhook-signature': given });
      await expect(verify({ headers })).rejects.toThrow(SignatureError);
      headers.set('webhook-signature', `${given} ${known['webhook-signature']}`);
      expect(await verify({ headers })).toBeDefined();
    },
  );

  it('verifies the checkout’s deliveries too', async () => {
    const delivered = { body: checkoutVector.body, headers: new Headers({ ...checkoutVector.headers }), secret };
    const happened = await verifyCheckoutWebhook<CheckoutEvents>(delivered);
    // By its type, `metadata` has any key.
    const notes = happened.event === 'payment.succeeded' ? happened.data.metadata['note'] : undefined;
    expect(notes).toBe('naïve — ✓');
    await expect(verifyCheckoutWebhook({ ...delivered, body: '{}' })).rejects.toThrow(SignatureError);
    await expect(verifyCheckoutWebhook({ ...delivered, headers: new Headers() })).rejects.toThrow(SignatureError);
  });
});
