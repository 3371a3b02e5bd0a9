import * as net from 'node:net';
import { text as readText } from 'node:stream/consumers';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { scopes } from '../shared/accounts/api-key.ts';
import { type Endpoint, endpointsOf } from '../shared/docs/endpoints.ts';
import { hostileTexts, inUrl, nearly } from './hostile-values.ts';
import { modelRuns } from './model-runs.ts';
import { documents } from './openapi-check.ts';
import { request, type SharedStack, shareTestStack } from './test-stack.ts';

// Hostile requests to every described endpoint of a running stack. No answer is a 5xx, and `request` holds each against its description.
// A failure prints its seed, path and smallest request.

const patience = { timeout: 300_000 };
const runs = modelRuns(2);

let stack: SharedStack;
/** An account of its own for the admin API, so that freezing it does not end the other tests. */
let administered: string;
let keys: Readonly<Record<string, string>>;

beforeAll(async () => {
  stack = await shareTestStack();
  const { accountId, adminToken } = stack.file;
  const created = await stack.admin('POST', '/accounts', { name: 'Fuzz' });
  administered = created.body.data.id;
  const wishes = { name: 'Fuzz', scopes, rateLimitPerMinute: 1_000_000 };
  const { body } = await stack.admin('POST', `/accounts/${accountId}/api-keys`, wishes);
  keys = {
    '/api/v1': `ApiKey ${body.data.key}`,
    '/v1': `Bearer ${stack.file.keys.checkoutSecretTest}`,
    '/admin/v1': `Bearer ${adminToken}`,
  };
});

const whole = [
  documents['/api/v1/openapi-full.json'],
  documents['/v1/openapi.json'],
  documents['/admin/v1/openapi.json'],
];

/** They would end the sessions and tokens that the tests call with, or start work without end. */
const isTried = ({ path }: Endpoint): boolean => !/sign-out|chaos/.test(path);

const endpoints = whole.flatMap((document) =>
  endpointsOf(document)
    .filter(isTried)
    .map((endpoint) => ({ ...endpoint, named: document.components.schemas })),
);

interface Attempt {
  readonly path: string;
  readonly query: string;
  readonly body: unknown;
}

const attemptsAt = ({ path, parameters, body, named }: (typeof endpoints)[number]): fc.Arbitrary<Attempt> => {
  const parts = (place: string) =>
    Object.fromEntries(
      parameters.filter((each) => each.in === place).map(({ name, schema }) => [name, inUrl(schema, named)]),
    );
  return fc
    .record({
      inPath: fc.record(parts('path')),
      inQuery: fc.record(parts('query'), { requiredKeys: [] }),
      body: body ? nearly(body.schema, named) : fc.constant(undefined),
    })
    .map(({ inPath, inQuery, body: sent }) => ({
      path: path.replace(/\{(\w+)\}/g, (_, name: string) => inPath[name] ?? '-'),
      query: Object.entries(inQuery)
        .map(([name, value]) => `${name}=${value}`)
        .join('&'),
      body: sent,
    }));
};

/** Most calls of the admin API are about an account that exists. */
const aimed = (path: string, isAimed: boolean): string =>
  isAimed ? path.replace(/^\/accounts\/[^/]+/, `/accounts/${administered}`) : path;

describe('hostile requests', patience, () => {
  it.each(endpoints)('get no 5xx from $operation.operationId: $method $path', async (endpoint) => {
    const { origin } = new URL(stack.file.apiBaseUrl);
    const attempts = fc.tuple(attemptsAt(endpoint), fc.integer({ min: 0, max: 4 }));
    await fc.assert(
      fc.asyncProperty(attempts, async ([{ path, query, body }, aim]) => {
        const url = `${origin}${endpoint.server}${aimed(path, aim > 0)}?${query}`;
        const authorization = keys[endpoint.server] ?? '';
        const { status, text } = await request(url, endpoint.method, { authorization }, JSON.stringify(body));
        if (status >= 500) throw new Error(text);
      }),
      { numRuns: runs, seed: 20_261_120 },
    );
  });
});

const stored = fc.oneof(
  fc.constantFrom(...hostileTexts.filter((each) => each.trim() !== '' && each.isWellFormed() && each.length < 100)),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }).filter((each) => each.trim() !== ''),
);

describe('what is stored comes back equal', patience, () => {
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
      { numRuns: modelRuns(30), seed: 20_261_120 },
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
      { numRuns: modelRuns(20), seed: 20_261_120 },
    );
  });
});

/** Bodies that are not JSON (after the classes of the JSON parsing test suite), and one that is not UTF-8. */
const invalidBodies = [
  '[1 true]',
  '["": 1]',
  '[1,,2]',
  '[1,]',
  '{"a":1,}',
  '{"a" "b"}',
  "{'a':1}",
  '{a:1}',
  '{"a":}',
  '{"a":1',
  '{"a":1}}',
  '{"a":"\\x00"}',
  '{"a":"\\u00A"}',
  '{"a":"\t"}',
  '{"a":01}',
  '{"a":1.}',
  '{"a":.5}',
  '{"a":+1}',
  '{"a":0x1}',
  '{"a":1e}',
  '{"a":NaN}',
  '{"a":Infinity}',
  '{"a":tru}',
  '{"a":1}//',
  '/* */{}',
  '\ufeff{}',
  '{"a":"b',
  '{',
  '"',
  '[',
  ']',
  '{]',
  '\u0000',
  '{}\u0000',
  `${'['.repeat(100_000)}`,
  `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`,
];

it.each(invalidBodies.map((text) => [text.slice(0, 24), text]))('400 refuses the body %j', async (_, text) => {
  const { status, body } = await stack.api('POST', '/contacts', text);
  expect([status, body.error.code]).toEqual([400, 'invalid_request']);
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
    const { status } = await stack.api('GET', '/messages?limit=1');
    expect(status).toBe(200);
  });
});
