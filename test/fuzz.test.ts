import * as net from 'node:net';
import { text as readText } from 'node:stream/consumers';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { scopes } from '../shared/accounts/api-key.ts';
import { JsonText, parseJson } from '../shared/kit/json-text.ts';
import { merchantOn, simulatedMethods } from './checkout-merchant.ts';
import { type Attempt, attemptsAt, endpoints, endsIt, hasEndpoint, type TriedEndpoint } from './fuzz/attempts.ts';
import { openExisting, thingOf } from './fuzz/existing-things.ts';
import { changedTexts } from './fuzz/kept.ts';
import { hostileTexts } from './hostile-values.ts';
import { fuzzSeed, modelRuns } from './model-runs.ts';
import { request, type SharedStack, shareTestStack } from './test-stack.ts';

// Hostile requests to every described endpoint of a running stack. No answer is a 5xx, and `request` holds each against its description.
// A failure prints its seed and smallest request. FUZZ_SEED tries others, MODEL_RUNS=5000 so many as `npm run test:long` does.

/** Each run is a request or more, to each of a hundred endpoints. */
const runs = Math.min(modelRuns(1), 500);

let stack: SharedStack;
let existing: ReturnType<typeof openExisting>;
let keys: Readonly<Record<string, string>>;

type Headers = Readonly<Record<string, string>>;

/** One call with the key of its API. The answer is no 5xx, and conforms to its description. */
const send = async (method: string, path: string, body?: unknown, headers: Headers = {}) => {
  const authorization = Object.entries(keys).find(([server]) => path.startsWith(`${server}/`))?.[1] ?? '';
  const answer = await request(
    `${new URL(stack.file.apiBaseUrl).origin}${path}`,
    method,
    { authorization, ...headers },
    body,
  );
  if (answer.status >= 500) throw new Error(`${answer.status} ${answer.text}`);
  return answer;
};

beforeAll(async () => {
  stack = await shareTestStack();
  const { accountId: id, adminToken } = stack.file;
  const wishes = { name: 'Fuzz', scopes, rateLimitPerMinute: 1_000_000 };
  const { body } = await stack.admin('POST', `/accounts/${id}/api-keys`, wishes);
  await stack.admin('PATCH', `/accounts/${id}`, { webhooks: { maxSubscriptions: 100 } });
  const checkoutKey = { kind: 'secret', livemode: false, name: 'Fuzz', rateLimitPerMinute: 1_000_000 };
  const { key } = (await stack.admin('POST', `/accounts/${id}/checkout-keys`, checkoutKey)).body.data;
  keys = { '/api/v1': `ApiKey ${body.data.key}`, '/v1': `Bearer ${key}`, '/admin/v1': `Bearer ${adminToken}` };
  const merchant = merchantOn(stack, { id, key, methodIds: [] });
  const methodIds = await merchant.setMethods(simulatedMethods);
  existing = openExisting({
    call: send,
    merchant: merchantOn(stack, { id, key, methodIds }),
    exampleAt: (path) => endpoints.find((each) => each.method === 'POST' && each.template === path)?.body?.example,
  });
  // An account may start so many an hour.
  for (const list of ['contacts/imports', 'contacts/exports', 'messages/exports'])
    await existing.pathOf(`/api/v1/${list}/{id}`, {}, false);
});

/** Emails and phones are unique among contacts and members. */
let people = 0;
const ofSomeoneElse = (body: Attempt['body']): Attempt['body'] => {
  if (typeof body !== 'string') return body;
  people += 1;
  return body.replaceAll('ada@', `ada-${people}@`).replaceAll('+8801700000000', `+88017${10_000_000 + people}`);
};

/** Messages keep it to the letter. */
const metadataIn = (body: string): string => {
  const sent = z.looseObject({ metadata: z.custom<object>((value) => typeof value === 'object' && value !== null) });
  const { data } = sent.safeParse(parseJson(body));
  return data ? JsonText.of(data.metadata).text : '';
};

/** Sends it. What is refused changes nothing, and texts that are accepted are read as they were sent. */
const tryAt = async ({ method, template }: TriedEndpoint, path: string, { query, headers, body }: Attempt) => {
  const before = /PATCH|PUT/.test(method) && hasEndpoint('GET', template) ? await send('GET', path) : undefined;
  const sent = ofSomeoneElse(body);
  const answer = await send(method, `${path}?${query}`, sent, headers);
  if (before?.status === 200 && answer.status >= 400) expect((await send('GET', path)).body).toEqual(before.body);
  // Previews show texts with their variables, and a key that was sent before gets the first answer.
  const isShown = !template.endsWith('/preview') && headers['Idempotency-Key'] === undefined;
  if (answer.status >= 300 || typeof sent !== 'string' || !isShown) return;
  const id = thingOf(answer.body)?.id;
  const shown = [answer];
  if (before) shown.push(await send('GET', path));
  else if (id && hasEndpoint('GET', `${template}/{id}`)) shown.push(await send('GET', `${path}/${id}`));
  for (const each of shown) {
    expect(changedTexts(JSON.parse(sent), thingOf(each.body))).toEqual([]);
    if (template === '/api/v1/messages') expect(each.text).toContain(metadataIn(sent));
  }
  // An account can have so many.
  if (id && template.endsWith('/webhooks')) await send('DELETE', `${path}/${id}`);
};

describe(`hostile requests (MODEL_RUNS=${runs} FUZZ_SEED=${fuzzSeed})`, () => {
  it.each(endpoints.map((endpoint, n) => ({ ...endpoint, seed: fuzzSeed + n })))(
    'get no 5xx from $operation.operationId: $method $path',
    async (endpoint) => {
      await fc.assert(
        fc.asyncProperty(attemptsAt(endpoint), async (attempt) => {
          const path = await existing.pathOf(endpoint.template, attempt.inPath, endsIt(endpoint));
          await tryAt(endpoint, path, attempt);
        }),
        { numRuns: endpoint.body || endpoint.parameters.length > 0 ? runs : 1, seed: endpoint.seed },
      );
    },
  );
});

const stored = fc.oneof(
  fc.constantFrom(...hostileTexts.filter((each) => each.trim() !== '' && each.isWellFormed() && each.length < 100)),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }).filter((each) => each.trim() !== ''),
);

describe('what is stored comes back equal', () => {
  it('for the fields of a contact', async () => {
    let created = 0;
    const fields = fc.record({ firstName: stored, lastName: stored, customFields: fc.dictionary(stored, stored) });
    await fc.assert(
      fc.asyncProperty(fields, async (contact) => {
        created += 1;
        const { status, body } = await stack.api('POST', '/contacts', {
          ...contact,
          email: `fuzz-${created}@example.com`,
        });
        if (status === 400) return;
        const read = await stack.api('GET', `/contacts/${body.data.id}`);
        expect(read.body.data).toMatchObject(JSON.parse(JSON.stringify(contact)));
      }),
      { numRuns: modelRuns(4), seed: fuzzSeed },
    );
    expect(created).toBeGreaterThan(0);
  });

  it('for the metadata and tags of a message', async () => {
    const fields = fc.record({
      metadata: fc.dictionary(stored, stored, { maxKeys: 5 }),
      tags: fc.array(stored, { maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(fields, async (message) => {
        const mail = { channel: 'email', to: 'ada@example.com', subject: 'Hello', text: 'It works.', ...message };
        const { status, body } = await stack.api('POST', '/messages', mail);
        if (status === 400) return;
        const read = await stack.api('GET', `/messages/${body.data.id}`);
        expect(read.body.data).toMatchObject(JSON.parse(JSON.stringify(message)));
      }),
      { numRuns: modelRuns(3), seed: fuzzSeed },
    );
  });
});

/** Sends bytes and reads until the server closes. */
const exchange = async (bytes: string | Buffer): Promise<string> => {
  const { hostname, port } = new URL(stack.file.apiBaseUrl);
  const socket = net.connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.end(bytes);
  return readText(socket).catch(() => '');
};

describe('raw requests', () => {
  const line = 'GET /api/v1/messages HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n';

  it.each([
    ['no request at all', '\r\n\r\n'],
    ['another protocol', '\x16\x03\x01\x02\x00'],
    ['an unknown method', 'BREW /api/v1/messages HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'],
    ['no host', 'GET /api/v1/messages HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['an absolute target', `GET http://example.com/api/v1/messages HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`],
    ['a target without a slash', 'GET messages HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'],
    [
      'bytes that are not UTF-8 in the target',
      Buffer.from(`${line.replace('messages', 'messages/\xff\xfe')}\r\n`, 'latin1'),
    ],
    ['bytes that are not UTF-8 in a header', Buffer.from(`${line}X-API-Key: \xff\r\n\r\n`, 'latin1')],
    ['a header without a colon', `${line}broken\r\n\r\n`],
    ['headers of 100 KB', `${line}X: ${'x'.repeat(100_000)}\r\n\r\n`],
    ['two lengths', `${line}Content-Length: 1\r\nContent-Length: 2\r\n\r\nx`],
    ['a length and chunks', `${line}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['a broken chunk', `${line.replace('GET', 'POST')}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
    ['a body that ends early', `${line.replace('GET', 'POST')}Content-Length: 100\r\n\r\n{`],
    ['50 equal keys', `${line}${'X-API-Key: x\r\n'.repeat(50)}\r\n`],
  ])('get no 5xx: %s', async (_, bytes) => {
    expect(await exchange(bytes)).not.toMatch(/^HTTP\/1\.1 5/);
  });

  it('leave a stack that answers', async () => {
    expect((await stack.api('GET', '/messages?limit=1')).status).toBe(200);
  });
});
