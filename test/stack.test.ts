import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { seedDemoAccount } from '../infra/local/demo-account.ts';
import { freshStart } from '../infra/local/fresh-start.ts';
import { readOptions } from '../infra/local/options.ts';
import { lasting } from './lasting.ts';
import { inFull } from './model-runs.ts';
import { failedStart, spawnStack } from './stack-process.ts';
import { newDataDirectory, request, type SharedStack, shareTestStack } from './test-stack.ts';

const mail = { channel: 'email', to: 'ada@example.com', subject: 'Hello', text: 'It works.' };

const idsIn = ({ body }: { readonly body: { readonly data: { readonly id: string }[] } }) =>
  body.data.map(({ id }) => id);

describe('a running stack', () => {
  // Its functions run already: in a stack of its own, each first call starts a process.
  let stack: SharedStack;
  beforeAll(async () => {
    stack = await shareTestStack();
  });

  it('completes a demo account from before the checkout, and does not change a complete one', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'older-'));
    const { adminToken, accountId, checkoutBaseUrl: url, keys } = stack.file;
    const older = { accountId, keys: { messaging: keys.messaging } };
    writeFileSync(join(directory, 'demo-account.json'), JSON.stringify(older));
    const account = await seedDemoAccount({ url, adminToken }, directory);
    expect(account).toEqual({
      accountId,
      keys: {
        messaging: keys.messaging,
        checkoutSecretTest: expect.stringMatching(/^sk_test_/),
        checkoutSecretLive: expect.stringMatching(/^sk_live_/),
        checkoutPublishableTest: expect.stringMatching(/^pk_test_/),
        checkoutPublishableLive: expect.stringMatching(/^pk_live_/),
      },
    });
    expect(await seedDemoAccount({ url, adminToken }, directory)).toEqual(account);
    writeFileSync(join(directory, 'demo-account.json'), '');
    await expect(seedDemoAccount({ url, adminToken }, directory)).rejects.toThrow(
      `demo-account.json is damaged. Delete the data: ${freshStart(directory)}`,
    );
    expect((await stack.admin('GET', `/accounts/${accountId}/checkout-methods`)).body.data).toHaveLength(3);
    const [contact, ...others] = (await stack.api('GET', '/contacts?search=%2B8801700000000')).body.data;
    expect(others).toEqual([]);
    expect((await stack.admin('GET', `/contacts/${contact.id}/consents`)).text).toContain('"active"');
    rmSync(directory, { recursive: true });
  });

  it('returns a sent message by id and in the list', async () => {
    const { body } = await stack.api('POST', '/messages', { ...mail, metadata: { orderId: 'A-17' } });
    const found = await stack.api('GET', `/messages/${body.data.id}`);
    expect(lasting(found.body.data)).toEqual(lasting(body.data));
    const list = await stack.api('GET', '/messages?limit=1');
    expect(list.body.data.map(lasting)).toEqual([lasting(body.data)]);
    expect(list.headers.get('x-ratelimit-limit')).toBe('1000');
  });

  it('accepts a key in three ways', async () => {
    const key = stack.file.keys.messaging;
    for (const header of [
      { 'X-API-Key': key },
      { Authorization: `ApiKey ${key}` },
      { Authorization: `Bearer ${key}` },
    ]) {
      expect((await request(`${stack.file.apiBaseUrl}/messages`, 'GET', header as Record<string, string>)).status).toBe(
        200,
      );
    }
  });

  it('404 answers an unknown route and a wrong method in the envelope', async () => {
    for (const [method, path] of [
      ['GET', '/nowhere'],
      ['PUT', '/messages'],
      ['DELETE', '/messages/x/y'],
    ] as const) {
      const { status, body, headers } = await stack.api(method, path);
      expect(status).toBe(404);
      expect(body.error).toMatchObject({ code: 'not_found', docsUrl: '/docs/errors#not_found' });
      expect(headers.get('x-request-id')).toBeTruthy();
    }
  });

  it('has a start page at /, an icon at /favicon.ico, and leads from /docs/ to /docs', async () => {
    const at = async (path: string) => {
      const response = await fetch(stack.file.checkoutBaseUrl + path);
      return [response.status, response.headers.get('content-type'), new URL(response.url).pathname];
    };
    const type = 'text/html; charset=utf-8';
    expect(await at('/')).toEqual([200, type, '/']);
    expect(await at('/docs/')).toEqual([200, type, '/docs']);
    expect(await at('/favicon.ico')).toEqual([200, 'image/svg+xml; charset=utf-8', '/favicon.ico']);
  });

  it('401 refuses callers of the admin API who are not operators', async () => {
    const url = `${stack.file.adminBaseUrl}/accounts/${stack.file.accountId}`;
    for (const headers of [{}, { authorization: 'Bearer nonsense' }, { 'x-api-key': stack.file.keys.messaging }]) {
      const { status, body } = await request(url, 'GET', headers as Record<string, string>);
      expect(status).toBe(401);
      expect(body.error.code).toBe('unauthorized');
    }
    expect((await stack.admin('GET', `/accounts/${stack.file.accountId}`)).body.data.name).toBe('Demo');
  });

  it('400 refuses hostile bodies in the envelope and stores nothing', async () => {
    const before = await stack.api('GET', '/messages?limit=100');
    const bodies = [
      '{',
      '[]',
      '"text"',
      '',
      'null',
      '['.repeat(100_000),
      `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
    ];
    for (const body of bodies) {
      const answer = await stack.api('POST', '/messages', body);
      expect(answer.status).toBe(400);
      expect(answer.body.error.code).toBe('invalid_request');
    }
    const content = Buffer.alloc(8 * 1024 * 1024).toString('base64');
    const attachments = [{ filename: 'large.bin', content, contentType: 'application/octet-stream' }];
    const mail = { channel: 'email', to: 'ada@example.com', subject: 'Hello', text: 'It works.', attachments };
    const tooLarge = await stack.api('POST', '/messages', mail);
    expect([tooLarge.status, tooLarge.body.error.code]).toEqual([400, 'attachment_too_large']);
    const endless = await stack.api('POST', '/messages', 'x'.repeat(32 * 1024 * 1024 + 1));
    expect([endless.status, endless.text]).toEqual([413, '{"message":"Request Entity Too Large"}']);
    expect(idsIn(await stack.api('GET', '/messages?limit=100'))).toEqual(idsIn(before));
  });

  it('writes no personal data and no key to its logs', async () => {
    await stack.api('POST', '/messages', { ...mail, to: 'secret.person@example.com' });
    await stack.api('POST', '/messages', { ...mail, to: 'not an address of secret.person' });
    const logs = join(stack.dataDirectory, 'logs');
    const text = readdirSync(logs)
      .map((file) => readFileSync(join(logs, file), 'utf8'))
      .join('\n');
    expect(text).toContain('"status":201');
    expect(text).not.toContain('secret.person');
    for (const key of Object.values(stack.file.keys)) expect(text).not.toContain(key);
  });
});

it.each(inFull ? ['Starting', 'Seeding'] : ['Seeding'])(
  'a start with --fresh and --aws-limits that is stopped after "%s" ends with all that it started, with exit code 0, and has deleted the data',
  async (step) => {
    const directory = newDataDirectory();
    const before = join(directory, 'before');
    writeFileSync(before, '');
    const child = spawnStack(directory, { arguments: ['--fresh', '--aws-limits'] });
    for await (const text of child.stdout ?? []) if (String(text).includes(step)) break;
    child.kill('SIGTERM');
    // All that holds its output has ended too.
    const [code] = await once(child, 'close');
    expect([code, existsSync(before)]).toEqual([0, false]);
    rmSync(directory, { recursive: true });
  },
);

describe('a failed start', () => {
  it('reports in one line that the port is in use, before it synthesizes', async () => {
    const server = createServer().listen(0, 'localhost');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const directory = mkdtempSync(join(tmpdir(), 'unbuilt-'));
    const { code, lines } = await failedStart(directory, ['--port', String(port)]);
    server.close();
    expect([code, existsSync(join(directory, 'cdk.out'))]).toEqual([1, false]);
    rmSync(directory, { recursive: true });
    expect(lines).toEqual([expect.stringContaining(`Port ${port} is in use`)]);
  });

  it('reports in one line that the database is damaged', async () => {
    const directory = newDataDirectory();
    writeFileSync(join(directory, 'dynamodb.sqlite'), 'this is not a database'.repeat(1_000));
    const { code, lines } = await failedStart(directory);
    expect([code, lines]).toEqual([1, [expect.stringContaining(directory)]]);
    rmSync(directory, { recursive: true });
  });

  it('reports in one line that an option is unknown or invalid', () => {
    for (const more of [
      ['--prot', '1'],
      ['--port', 'x'],
      ['--port', ''],
      ['--port'],
      ['4100'],
      ['--webhook-targets', 'some'],
    ])
      expect(() => readOptions(more, {})).toThrow(
        expect.objectContaining({ name: 'StartFailure', message: expect.stringMatching(`^[^\n]*${more[0]}[^\n]*$`) }),
      );
  });
});
