import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { sourcesFile } from '../infra/bundle.ts';
import { cacheOf } from '../infra/local/bundles.ts';
import { seedDemoAccount } from '../infra/local/demo-account.ts';
import { freePort } from '../infra/local/free-port.ts';
import { freshStart } from '../infra/local/fresh-start.ts';
import { readOptions } from '../infra/local/options.ts';
import { fingerprintOf } from '../infra/local/synth.ts';
import { startReceiver } from '../shared/providers/webhook/receiver-fixture.ts';
import { inFull } from './model-runs.ts';
import { soon } from './soon.ts';
import { spawnStack } from './stack-process.ts';
import {
  newCheckout,
  newDataDirectory,
  request,
  type SharedStack,
  shareTestStack,
  startTestStack,
  type TestStack,
} from './test-stack.ts';

const mail = { channel: 'email', to: 'ada@example.com', subject: 'Hello', text: 'It works.' };

/** A message without the fields that its later delivery changes. */
const lasting = ({ status: _, deliveredAt: __, ...message }: Record<string, unknown>) => message;
const idsIn = ({ body }: { readonly body: { readonly data: { readonly id: string }[] } }) =>
  body.data.map(({ id }) => id);

/** Runs `npm start` where it must fail. Returns its exit code and output. */
const failedStart = async (dataDirectory: string, more: readonly string[] = [], checkout = process.cwd()) => {
  const child = spawnStack(dataDirectory, { arguments: more, checkout });
  let output = '';
  child.stderr?.on('data', (text: Buffer) => {
    output += text.toString();
  });
  const [code] = await once(child, 'close');
  return { code, lines: output.trim().split('\n') };
};

/** One stack, which the tests use, stop, start, kill and start again, in their order. */
let stack: TestStack;
/** Sources that the tests change. One copy: Node compiles them once for all stacks that start there. */
const checkout = newCheckout();
beforeAll(async () => {
  // Emacs locks a file that has unsaved changes by a link to nowhere.
  symlinkSync('ada@host.1:1', join(checkout, 'functions/public/refuse-unknown-route/.#handler.ts'));
  stack = await startTestStack();
});
afterAll(async () => {
  await stack.stop();
  stack.forget();
  rmSync(checkout, { recursive: true });
});

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

describe('the started stack', () => {
  it('has printed the account that the README needs and a session with the order in its metadata', () => {
    expect(stack.output()).toMatch(new RegExp(`^ {2}Account +${stack.file.accountId}`, 'm'));
    expect(stack.output()).toContain('"metadata":{"orderId":"1042"}');
  });

  it('answers the printed curl line with a message, and the inbox has the mail', async () => {
    const line = /curl -s (\S+) -H '(X-API-Key: \S+)' -H '(Content-Type: \S+)' -d '([^']+)'/.exec(stack.output());
    const [, url = '', key = '', type = '', body = ''] = line ?? [];
    const headers = Object.fromEntries([key, type].map((header) => header.split(': ')));
    const sent = await request(url, 'POST', headers, body);
    expect(sent.status).toBe(201);
    expect(sent.body.data).toMatchObject({ channel: 'email', status: 'sent', to: 'ada@example.com' });
    const inbox = await request(`${stack.file.inboxUrl}/store`, 'GET', {});
    expect(inbox.body.emails.at(-1)).toMatchObject({ subject: 'Hello', tags: { messageId: sent.body.data.id } });
  });

  it('answers the printed curl line of the checkout with a session that can be paid in three ways', async () => {
    const line = /curl -s (\S+) -H '(Authorization: [^']+)' -H '(Content-Type: \S+)' -d '([^']+)'/.exec(stack.output());
    const [, url = '', key = '', type = '', body = ''] = line ?? [];
    const headers = Object.fromEntries([key, type].map((header) => header.split(': ')));
    const { status, body: answer } = await request(url, 'POST', headers, body);
    expect([status, answer.data]).toMatchObject([
      201,
      {
        status: 'OPEN',
        livemode: false,
        eligibleMethods: [{ gatewayCode: 'sim_card' }, { gatewayCode: 'sim_wallet' }, { gatewayCode: 'sim_bank' }],
      },
    ]);
    expect(answer.data.url.startsWith(stack.file.checkoutBaseUrl)).toBe(true);
  });
});

describe('a stack that is started again', () => {
  it('keeps messages, keys, mails, and the ports of API, docs and inbox, and stopped with exit code 0, sooner than it starts', async () => {
    const receiver = await startReceiver((response) => void setTimeout(() => response.writeHead(204).end(), 500));
    onTestFinished(() => receiver.close());
    const target = { name: 'slow', url: `http://127.0.0.1:${receiver.port}/`, events: ['message.sent'] };
    const { webhook } = (await stack.api('POST', '/webhooks', target)).body.data;
    const sent = await stack.api('POST', '/messages', { ...mail, subject: 'kept' });
    await expect.poll(() => receiver.received.length, soon).toBe(1);
    const { file, dataDirectory } = stack;
    const stopMs = Date.now();
    expect(await stack.stop()).toBe(0);
    const stoppedMs = Date.now();

    const portsFile = join(dataDirectory, 'ports.json');
    const portsOf = ({ apiBaseUrl, docsUrl, inboxUrl }: typeof file) =>
      [apiBaseUrl, docsUrl, inboxUrl].map((url) => Number(new URL(url).port));
    const last = JSON.parse(readFileSync(portsFile, 'utf8'));
    expect(portsOf(file)).toEqual([last.api, last.api, last.inbox]);
    // Until the next start, another program can take those, and none takes these.
    const free = { api: await freePort(), inbox: await freePort() };
    writeFileSync(portsFile, JSON.stringify(free));

    const startMs = Date.now();
    // A busy machine has time to kill the next test's send.
    stack = await startTestStack({ dataDirectory, environment: { SEND_GIVE_UP_SECONDS: '60' } });
    // A start takes about five seconds, and on a busy machine both take longer.
    expect(stoppedMs - stopMs).toBeLessThan(Date.now() - startMs);
    expect(portsOf(stack.file)).toEqual([free.api, free.api, free.inbox]);
    expect(stack.file.keys).toEqual(file.keys);
    const kept = (await stack.api('GET', '/messages?limit=1')).body.data;
    expect(kept.map(lasting)).toEqual([lasting(sent.body.data)]);
    // The delivery under way had its time to end: it is not made again.
    const delivered = async () => (await stack.api('GET', `/webhooks/${webhook.id}`)).body.data.totalSent;
    await expect.poll(delivered, soon).toBe(1);
    expect(receiver.received).toHaveLength(1);
    const inbox = await request(`${stack.file.inboxUrl}/store`, 'GET', {});
    expect(inbox.body.emails.map(({ subject }: { subject: string }) => subject)).toContain('kept');
  });

  it('ends a message whose send was killed and returns its credit, delivers the notifications that were pending, and calls the targets again whose calls were cut off, and counts none twice', async () => {
    let isUp = false;
    const receiver = await startReceiver((response) => isUp && response.end());
    onTestFinished(() => receiver.close());
    const events = ['message.sent', 'message.delivered'];
    const target = { name: 'held', url: `http://localhost:${receiver.port}/`, events };
    const { webhook } = (await stack.api('POST', '/webhooks', target)).body.data;
    const reported = (await stack.api('POST', '/messages', mail)).body.data.id;
    const calls = () =>
      receiver.received
        .map(({ body }) => JSON.parse(body))
        .filter(({ data }) => data.message.id === reported)
        .map(({ event }) => event)
        .sort();
    await expect.poll(calls, soon).toEqual(['message.delivered', 'message.sent']);

    const credits = async () =>
      (await stack.admin('GET', `/accounts/${stack.file.accountId}/credits`)).body.data.email as number;
    const before = await credits();
    const bounce = await stack.api('POST', '/messages', { ...mail, to: 'bounce+killed@simulator.amazonses.com' });
    const sending = async () => (await stack.api('GET', '/messages?status=sending')).body.data;
    expect(await sending()).toEqual([]);
    await fetch(`${stack.file.inboxUrl}/faults`, { method: 'POST', body: JSON.stringify({ fault: 'hang' }) });
    const cutOff = stack.api('POST', '/messages', mail).catch(() => 'cut off');
    await vi.waitFor(async () => expect(await sending()).toHaveLength(1), soon);
    await stack.kill();
    isUp = true;
    expect(await cutOff).toBe('cut off');

    // The usual three seconds again, for a check that was not queued yet. One that was is due after the skip.
    stack = await startTestStack({ dataDirectory: stack.dataDirectory, environment: {}, checkout });
    await request(`${stack.file.inboxUrl}/clock`, 'POST', {}, { skip: '1m' });
    await vi.waitFor(async () => {
      const { body } = await stack.api('GET', '/messages?limit=2');
      expect(body.data).toMatchObject([
        { status: 'failed', failureCode: 'send_interrupted' },
        { id: bounce.body.data.id, status: 'bounced' },
      ]);
    }, soon);
    expect(await credits()).toBe(before - 1);

    // The third is that the bounced message was sent.
    const counts = async () => (await stack.api('GET', `/webhooks/${webhook.id}`)).body.data;
    await expect.poll(counts, soon).toMatchObject({ totalSent: 3, totalFailed: 0 });
    const logs = (await stack.api('GET', `/webhooks/${webhook.id}/logs`)).body;
    expect(logs.data).toMatchObject(Array(3).fill({ attempts: 1, success: true }));
    expect(calls()).toEqual(['message.delivered', 'message.delivered', 'message.sent', 'message.sent']);
    expect(new Set(receiver.received.map(({ body }) => JSON.parse(body).id)).size).toBe(3);
  });

  it('applies a saved file and a saved page of the documentation, also after its bundler was killed', async () => {
    const file = join(checkout, 'functions/public/refuse-unknown-route/handler.ts');
    /** As editors and git do: the new text is written beside the file, and renamed over it. */
    const save = (before: RegExp, after: string): void => {
      writeFileSync(`${file}.new`, readFileSync(file, 'utf8').replace(before, after));
      renameSync(`${file}.new`, file);
    };
    const answers = (message: string) =>
      vi.waitFor(async () => expect((await stack.api('GET', '/nowhere')).body.error.message).toBe(message), soon);
    // A constant is in the bundle without the name of its module.
    const module = join(checkout, 'functions/public/refuse-unknown-route/word.ts');
    writeFileSync(module, "export const word = 'first';\n");
    save(/import(.*)'No endpoint [^']*'/s, "import { word } from './word.ts';\nimport$1word");
    await answers('first');
    writeFileSync(module, "export const word = 'second';\n");
    await answers('second');
    process.kill(Number(execFileSync('pgrep', ['-P', `${stack.file.pid}`, 'esbuild'])), 'SIGKILL');
    // So it is after a start during which a source had a mistake.
    const bundles = () => globSync(join(stack.dataDirectory, 'cdk.out/*/public-refuse-unknown-route.js'));
    for (const bundle of bundles()) rmSync(bundle);
    const savePage = () =>
      appendFileSync(join(checkout, 'shared/docs/pages/testing.md'), '\nNobody has ever tested enough.\n');
    savePage();
    await vi.waitUntil(() => stack.output().includes('Not reloaded'), soon);
    savePage();
    // It takes seconds to bundle.
    await vi.waitFor(
      async () => {
        const page = await fetch(`${stack.file.docsUrl}/testing.md`);
        expect(await page.text()).toContain('Nobody has ever tested enough.');
      },
      { ...soon, interval: 1_000 },
    );
    expect(bundles()).toHaveLength(1);
  });
});

const databaseOf = (pid: number | undefined) => Number(execFileSync('pgrep', ['-P', String(pid), 'dynoxide']));
const databaseEnded = 'DynamoDB (dynoxide) ended unexpectedly (SIGKILL); restart the stack.';
const databaseLines = (output: string) => output.split('\n').filter((line) => line.startsWith('DynamoDB'));

it('a stack whose database is killed ends with exit code 1, and a line that says why', async () => {
  process.kill(databaseOf(stack.file.pid), 'SIGKILL');
  expect(await stack.exited).toBe(1);
  expect(databaseLines(stack.output())).toEqual([databaseEnded]);
});

it.each(inFull ? ['Starting', 'Seeding'] : ['Starting'])(
  'a start whose database is killed after "%s" ends with exit code 1, and a line that says why',
  async (step) => {
    const directory = newDataDirectory();
    const child = spawnStack(directory);
    const errors = Array.fromAsync(child.stderr ?? [], String);
    const closed = once(child, 'close');
    for await (const printed of child.stdout ?? []) if (String(printed).includes(step)) break;
    process.kill(await vi.waitFor(() => databaseOf(child.pid), { ...soon, interval: 5 }), 'SIGKILL');
    expect(await closed).toEqual([1, null]);
    expect(databaseLines((await errors).join(''))).toEqual([databaseEnded]);
    rmSync(directory, { recursive: true });
  },
);

it('a start after a change of a source, a page or a figure of the documentation bundles anew, and ends with all that it started when it is stopped then', async () => {
  const before = fingerprintOf({}, checkout);
  const stamps = [
    'functions/public/refuse-unknown-route/handler.ts',
    'shared/docs/pages/testing.md',
    'shared/docs/figures.json',
  ].map((file) => {
    appendFileSync(join(checkout, file), '\n');
    return fingerprintOf({}, checkout);
  });
  expect(new Set([before, ...stamps]).size).toBe(4);
  const directory = newDataDirectory({ isWatched: true });
  const child = spawnStack(directory, { checkout });
  const [first] = await once(child.stdout ?? child, 'data');
  expect(String(first)).toMatch(/^Synthesizing the templates and bundling the functions/);
  child.kill('SIGTERM');
  // All that holds its output has ended too.
  expect(await once(child, 'close')).toEqual([0, null]);
  rmSync(directory, { recursive: true });
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

/** As if the functions of the changed sources had been bundled before: a start whose app fails waits for the bundles under way. */
const keepBundles = (): void => {
  const { kept } = cacheOf('node_modules/.cache/bundles', fingerprintOf({}, checkout));
  mkdirSync(kept, { recursive: true });
  onTestFinished(() => rmSync(kept, { recursive: true }));
  writeFileSync(join(kept, sourcesFile), '{}');
};

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

  it.each(['functions/webhooks/list-logs/handler.ts', 'infra/app.ts', 'infra/routes.ts'])(
    'reports in one line an error in %s',
    async (file) => {
      const source = join(checkout, file);
      const before = readFileSync(source, 'utf8');
      onTestFinished(() => writeFileSync(source, before));
      writeFileSync(source, `${before}\nexport const listLogs = (;`);
      if (file === 'infra/app.ts') keepBundles();
      const directory = mkdtempSync(join(tmpdir(), 'unbuilt-'));
      const { code, lines } = await failedStart(directory, [], checkout);
      expect([code, lines]).toEqual([1, [expect.stringMatching(`^The .+: ${file}:\\d+: \\S`)]]);
      rmSync(directory, { recursive: true });
    },
  );

  it('reports in one line that an option is unknown or invalid', async () => {
    const { code, lines } = await failedStart(newDataDirectory(), ['--prot', '1']);
    expect([code, lines]).toEqual([1, [expect.stringContaining('--prot')]]);
    for (const more of [['--port', 'x'], ['--port', ''], ['--port'], ['4100'], ['--webhook-targets', 'some']])
      expect(() => readOptions(more, {})).toThrow(
        expect.objectContaining({ name: 'StartFailure', message: expect.stringMatching(`^[^\n]*${more[0]}[^\n]*$`) }),
      );
  });
});
