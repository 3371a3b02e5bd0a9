import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { sourcesFile } from '../infra/bundle.ts';
import { cacheOf } from '../infra/local/bundles.ts';
import { freePort } from '../infra/local/free-port.ts';
import { localEndpoint } from '../infra/local/local-client.ts';
import { skipCommand } from '../infra/local/skip.ts';
import { openStackClock } from '../infra/local/stack-clock.ts';
import { fingerprintOf } from '../infra/local/synth.ts';
import { personCommand } from '../infra/person/main.ts';
import { sendingCommand } from '../infra/sending/main.ts';
import { openDynamoDb } from '../shared/aws/dynamodb.ts';
import { dayMs, hourMs, minuteMs } from '../shared/kit/time-units.ts';
import { type Received, startReceiver } from '../shared/providers/webhook/receiver-fixture.ts';
import { itemKeys } from '../shared/table/keys.ts';
import { openTable } from '../shared/table/table.ts';
import { calledCommand } from './called-command.ts';
import { type Merchant, newMerchant } from './checkout-merchant.ts';
import { lasting } from './lasting.ts';
import { inFull } from './model-runs.ts';
import { soon } from './soon.ts';
import { failedStart, runProgram, spawnStack } from './stack-process.ts';
import { newCheckout, newDataDirectory, request, startTestStack, type TestStack } from './test-stack.ts';

// Starts, ends, saved sources and commands that act on a whole stack, so this one is for no other file.

const mail = { channel: 'email', to: 'ada@example.com', subject: 'Hello', text: 'It works.' };
const inDays = (days: number): string => new Date(Date.now() + days * dayMs).toISOString();

const dataDirectory = newDataDirectory();
// No proxy is there: neither stack nor commands ask it for an address of this machine.
const proxy = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: 'http://127.0.0.1:9', no_proxy: 'example.com' };
/** Of the stack that commands act on. A busy machine has time to kill its last send. */
const environment = {
  ...proxy,
  WEBHOOK_RETRY_DELAYS: '3600,7200,7200,7200',
  CHECKOUT_SESSION_TTL: '7200',
  SEND_GIVE_UP_SECONDS: '60',
};
/** One stack, which the tests use, stop, start, kill and start again, in their order. */
let stack: TestStack;
/** Sources that the tests change. One copy: Node compiles them once for all stacks that start there. */
const checkout = newCheckout();
beforeAll(async () => {
  // Emacs locks a file that has unsaved changes by a link to nowhere.
  symlinkSync('ada@host.1:1', join(checkout, 'functions/public/refuse-unknown-route/.#handler.ts'));
  stack = await startTestStack({ dataDirectory });
});
afterAll(async () => {
  await stack.stop();
  stack.forget();
  rmSync(checkout, { recursive: true });
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

describe('a stack that is stopped and started again', () => {
  it('keeps messages, keys, mails, and the ports of API, docs and inbox, and stopped with exit code 0, sooner than it starts', async () => {
    const receiver = await startReceiver((response) => void setTimeout(() => response.writeHead(204).end(), 500));
    onTestFinished(() => receiver.close());
    const target = { name: 'slow', url: `http://127.0.0.1:${receiver.port}/`, events: ['message.sent'] };
    const { webhook } = (await stack.api('POST', '/webhooks', target)).body.data;
    const sent = await stack.api('POST', '/messages', { ...mail, subject: 'kept' });
    await expect.poll(() => receiver.received.length, soon).toBe(1);
    const { file } = stack;
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

    // As when time was skipped before the stack was stopped.
    const clock = openStackClock(dataDirectory);
    clock.skip(10 * minuteMs);
    clock.close();
    const startMs = Date.now();
    stack = await startTestStack({ dataDirectory, environment });
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
    await stack.api('DELETE', `/webhooks/${webhook.id}`);
  });
});

/** Runs the program of a command, with the proxy. */
const runApart = (file: string, ...args: readonly string[]) =>
  runProgram(['--disable-warning=ExperimentalWarning', file, '--data-dir', dataDirectory, ...args], proxy);

const sending = (...args: readonly string[]) => calledCommand(sendingCommand, [...args, '--data-dir', dataDirectory]);
const credits = async () =>
  (await stack.admin('GET', `/accounts/${stack.file.accountId}/credits`)).body.data.email as number;
const statusOf = async (id: string) => (await stack.api('GET', `/messages/${id}`)).body.data.status as string;
const ways = ['emails', 'texts', 'scheduled messages'];
const linesOf = (standing: string) => ways.map((of) => `${of} ${standing}\n`).join('');

describe('npm run sending', () => {
  it('pauses: emails are refused with Retry-After and keep their credits, texts wait; after the resume all are sent', async () => {
    expect(await sending('state')).toMatchObject({ status: 0, stdout: linesOf('are sent') });
    expect((await sending('pause', '--dry-run')).stdout).toBe(linesOf('are sent; they would be paused'));
    expect((await stack.api('POST', '/messages', mail)).status).toBe(201);

    const [before, rows] = [await credits(), (await stack.api('GET', '/messages')).body.pagination];
    expect(await sending('pause')).toMatchObject({ status: 0, stdout: linesOf('are paused now') });
    expect((await sending('pause')).stdout).toBe(linesOf('are paused'));
    const refused = await stack.api('POST', '/messages', mail);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60']);
    expect(await credits()).toBe(before);
    expect((await stack.api('GET', '/messages')).body.pagination).toEqual(rows);
    const contacts = (await stack.api('GET', '/contacts')).body.data as { phone: string | null }[];
    const to = contacts.find(({ phone }) => phone !== null)?.phone;
    const text = await stack.api('POST', '/messages', { channel: 'sms', to, text: 'It works.' });
    expect(text.status).toBe(201);

    expect((await sending('state')).stdout).toBe(linesOf('are paused'));
    expect(await statusOf(text.body.data.id)).toBe('queued');
    expect(await sending('resume')).toMatchObject({ status: 0, stdout: linesOf('are sent now') });
    await expect.poll(() => statusOf(text.body.data.id), soon).toBe('delivered');
    expect((await stack.api('POST', '/messages', mail)).status).toBe(201);
  });

  it('refuses what it does not know, in one line', async () => {
    expect(await sending('stop')).toMatchObject({
      status: 1,
      stderr: 'Unknown action: stop. --help shows what can be done.\n',
    });
    expect((await sending('--help')).stdout).toContain('npm run sending -- <what> [--stage prod]');
  });
});

describe('npm run person', () => {
  const person = (...args: readonly string[]) => calledCommand(personCommand, [...args, '--data-dir', dataDirectory]);
  const messageTo = async (to: string): Promise<string> => {
    const { id } = (await stack.api('POST', '/messages', { ...mail, to })).body.data;
    await expect.poll(() => statusOf(id), soon).toBe('delivered');
    return id;
  };
  const messageOf = async (id: string) => (await stack.api('GET', `/messages/${id}`)).body.data;

  it('exports what is known of a person, counts it, and erases it when that is confirmed', async () => {
    const address = 'forget@example.com';
    const id = await messageTo(address);
    const { stdout, stderr } = await person('export', address);
    expect(stderr).toBe('');
    const { accounts } = JSON.parse(stdout);
    expect(accounts).toMatchObject([
      { accountId: stack.file.accountId, message: [{ id, to: address }], contact: [{ email: address }] },
    ]);
    const [line = '', ...more] = (await person('export', address, '--json')).stdout.split('\n');
    expect([more, JSON.parse(line).accounts]).toEqual([[''], accounts]);
    const message = `${stack.file.accountId}  message: 1\n`;
    expect(await person('erase', address, '--dry-run')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(message),
    });
    expect(await person('erase', address)).toMatchObject({ status: 1, stderr: expect.stringContaining('--yes') });
    expect(await messageOf(id)).toMatchObject({ to: address });
    expect(await person('erase', address, '--yes')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(message),
    });
    expect(await messageOf(id)).toMatchObject({ to: null, status: 'delivered' });
    expect(JSON.parse((await person('export', address)).stdout).accounts).toEqual([]);
    const entries = (await stack.admin('GET', '/audit-log')).body.data as { readonly action: string }[];
    expect(entries.filter(({ action }) => action === 'npm run person')).toMatchObject([
      { resource: 'erase in all accounts', status: 200 },
    ]);
    expect(JSON.stringify(entries)).not.toContain(address);
  });

  it('writes an export to a new file, which only its owner may read, and leaves none where it fails', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'person-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [file, open] = [join(folder, 'ada.json'), join(folder, 'open.json')];
    expect(await person('export', 'ada@example.com', '--out', file)).toMatchObject({ status: 0 });
    expect([statSync(file).mode & 0o777, JSON.parse(readFileSync(file, 'utf8')).email]).toEqual([
      0o600,
      'ada@example.com',
    ]);
    writeFileSync(open, 'of others', { mode: 0o644 });
    expect(await person('export', 'ada@example.com', '--out', open)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('exists'),
    });
    expect(readFileSync(open, 'utf8')).toBe('of others');
    expect(await person('export', 'ada', '--out', join(folder, 'none'))).toMatchObject({ status: 1 });
    expect(readdirSync(folder)).toEqual(['ada.json', 'open.json']);
  });

  it('refuses the options of the other action, and erases nothing', async () => {
    const address = 'misplaced@example.com';
    const id = await messageTo(address);
    const refused = (stderr: string) => ({ status: 1, stdout: '', stderr });
    expect(await person('erase', address, '--yes', '--out', 'ada.json')).toMatchObject(
      refused('--out is of export. Nothing was erased: export first, then erase.\n'),
    );
    for (const option of ['--dry-run', '--yes'])
      expect(await person('export', address, option)).toMatchObject(refused('--dry-run and --yes are of erase.\n'));
    expect(await messageOf(id)).toMatchObject({ to: address });
  });

  it('says in one line what is wrong and ends with 1', async () => {
    const noFolder = ['export', 'ada@example.com', '--out', '/nonexistent/ada.json'];
    for (const args of [
      [],
      ['export'],
      ['forget', 'ada@example.com'],
      ['export', 'ada'],
      ['export', 'a', 'b'],
      noFolder,
    ]) {
      const { status, stdout, stderr } = await person(...args);
      expect([args, status, stdout]).toEqual([args, 1, '']);
      expect(stderr).toMatch(/^[/a-zA-Z].+\n$/);
    }
  });
});

const skip = (...args: readonly string[]) => calledCommand(skipCommand, [...args, '--data-dir', dataDirectory]);

const aheadOf = (time: string): number => Date.parse(time) - Date.now();
const signedMs = ({ headers }: Received): number =>
  Number(/^t=(\d+)/.exec(String(headers['x-service-signature']))?.[1]) * 1_000;

describe('npm run skip', () => {
  let merchant: Merchant;
  beforeAll(async () => {
    merchant = await newMerchant(stack);
  });

  it('is kept: a start after it is as far ahead', async () => {
    await expect.poll(stack.output, soon).toContain('The clock is 10 minutes ahead');
    const { body } = await stack.api('POST', '/messages', mail);
    expect(aheadOf(body.data.createdAt)).toBeGreaterThan(9 * minuteMs);
    expect((await skip()).stdout).toMatch(/^It is .+Z, (9|10) minutes.* ahead of this machine\.\n$/);
  });

  it('retries a failed webhook delivery, and signs it with the new time', async () => {
    const statuses = [500, 200];
    const receiver = await startReceiver((response) => response.writeHead(statuses.shift() ?? 200).end());
    const url = `http://localhost:${receiver.port}/hooks`;
    const { body } = await stack.api('POST', '/webhooks', { name: 'orders', url, events: ['message.sent'] });
    await stack.api('POST', '/messages', mail);
    await expect.poll(() => receiver.received.length, soon).toBe(1);
    expect((await runApart('infra/local/skip.ts', '1h')).status).toBe(0);
    await expect.poll(() => receiver.received.length, soon).toBe(2);
    const [first, second] = receiver.received;
    expect(second?.body).toBe(first?.body);
    expect(first && second && signedMs(second) - signedMs(first)).toBeGreaterThanOrEqual(hourMs);
    await stack.api('DELETE', `/webhooks/${body.data.webhook.id}`);
    await receiver.close();
  });

  it('sends a scheduled message and expires an open session, days later', async () => {
    const session = (await merchant.create({ amountMinor: 600_000, currency: 'BDT' })).body.data;
    const { body } = await stack.api('POST', '/messages', { ...mail, sendAt: inDays(3) });
    const livesMs = Date.parse(session.expiresAt) - Date.parse(body.data.createdAt);
    expect(Math.ceil(livesMs / hourMs)).toBe(2);
    const messageId: string = body.data.id;
    const { status, stdout } = await skip('3d');
    expect([status, stdout]).toEqual([
      0,
      expect.stringMatching(/^3 days skipped: it is .+Z\. Due: \d+ schedules?, .+\n/),
    ]);
    expect(await merchant.view(session.id)).toEqual({ status: 'EXPIRED', paymentStatus: 'EXPIRED' });
    const read = async () => (await stack.api('GET', `/messages/${messageId}`)).body.data;
    await expect.poll(async () => (await read()).status, soon).toBe('delivered');
    expect(aheadOf((await read()).sentAt)).toBeGreaterThan(3 * dayMs);
    expect(stack.output()).toContain('SKIP    3 days skipped');
  });

  it('settles a payment that was begun just before', async () => {
    const sessionId = await merchant.newSession(1_003, { expiresInSeconds: 300 });
    expect((await merchant.pay(sessionId)).status).toBe(201);
    expect((await skip('20s')).status).toBe(0);
    expect(await merchant.view(sessionId)).toEqual({ status: 'COMPLETED', paymentStatus: 'SUCCEEDED' });
  });

  it('settles a payment that was begun just before also when an hour is skipped; expires sessions for every reader at once, with the payment of 1002 and not with a declined one, and stores it without a read', async () => {
    const [ttl, headers] = [{ expiresInSeconds: 300 }, { 'idempotency-key': 'order-1042' }];
    const order = { amountMinor: 600_000, currency: 'BDT', ...ttl };
    const [open, expired] = [
      { status: 'OPEN', paymentStatus: 'PENDING' },
      { status: 'EXPIRED', paymentStatus: 'EXPIRED' },
    ];
    const { id, expiresAt } = (await merchant.create(order, headers)).body.data;
    const [unread, settled, declined, unanswered] = await Promise.all([
      merchant.newSession(600_000, ttl),
      merchant.newSession(1_004, ttl),
      merchant.paid(1_001, ttl),
      merchant.paid(1_002, ttl),
    ]);
    const sessions = [id, unanswered.sessionId];
    const seen = () => Promise.all([...sessions.map(merchant.view), ...sessions.map(merchant.status)]);
    const codeOf = async (sessionId: string) => (await merchant.pay(sessionId)).body.error.code;
    expect(await seen()).toEqual(Array(4).fill(open));
    expect(await codeOf(unanswered.sessionId)).toBe('payment_in_progress');
    expect((await merchant.pay(settled)).status).toBe(201);
    expect((await skip('1h')).stdout).toMatch(/^1 hour skipped: /);
    expect(await merchant.view(settled)).toEqual({ status: 'COMPLETED', paymentStatus: 'SUCCEEDED' });
    expect(await seen()).toEqual(Array(4).fill(expired));
    expect(await merchant.view(declined.sessionId)).toEqual({ status: 'EXPIRED', paymentStatus: 'FAILED' });
    expect((await merchant.create(order, headers)).body.data).toMatchObject({ id, status: 'EXPIRED', expiresAt });
    expect(await Promise.all(sessions.map(codeOf))).toEqual(Array(2).fill('session_not_open'));
    const { data } = await merchant.report();
    const reported = data.find((payment: { readonly id: string }) => payment.id === unanswered.paymentId);
    expect(reported).toMatchObject({ status: 'EXPIRED', mark: null });
    const { dynamodb = '', table = '' } = stack.file.aws;
    const rows = openTable(openDynamoDb(localEndpoint(dynamodb)), table);
    const stored = async () => (await rows.get(itemKeys.checkoutSession(unread)))?.['status'];
    await expect.poll(stored, soon).toBe('EXPIRED');
  });

  it('gives commands the new time, too', async () => {
    expect((await runApart('infra/operators/main.ts', 'add', 'late@example.com')).status).toBe(0);
    const [change] = (await stack.admin('GET', '/audit-log?limit=1')).body.data;
    expect(change.action).toBe('npm run operators');
    expect(aheadOf(change.at)).toBeGreaterThan(3 * dayMs - hourMs);
  });

  it('still takes a file at a presigned URL', async () => {
    const file = { filename: 'invoice.txt', contentType: 'text/plain', size: 5 };
    const { uploadUrl } = (await stack.api('POST', '/attachments', file)).body.data;
    const answer = await fetch(uploadUrl, { method: 'PUT', body: 'Hello', headers: { 'content-type': 'text/plain' } });
    expect(answer.status).toBe(200);
  });

  it('refuses what it cannot skip, in one line, and leaves the clock as it is', async () => {
    const before = JSON.parse((await skip('--json')).stdout);
    for (const args of [
      ['1w'],
      ['0s'],
      ['2020-01-01T00:00:00Z'],
      ['2400-01-01T00:00:00Z'],
      ['1h', '2h'],
      ['--wrong'],
    ]) {
      const { status, stdout, stderr } = await skip(...args);
      expect([args, status, stdout]).toEqual([args, 1, '']);
      expect(stderr).toMatch(/^\w.+\n$/);
    }
    expect(JSON.parse((await skip('--json')).stdout).aheadSeconds).toBe(before.aheadSeconds);
  });
});

describe('a stack that is killed and started again', () => {
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

/** As if the functions of the changed sources had been bundled before: a start whose app fails waits for the bundles under way. */
const keepBundles = (): void => {
  const { kept } = cacheOf('node_modules/.cache/bundles', fingerprintOf({}, checkout));
  mkdirSync(kept, { recursive: true });
  onTestFinished(() => rmSync(kept, { recursive: true }));
  writeFileSync(join(kept, sourcesFile), '{}');
};

describe('a failed start', () => {
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
});
