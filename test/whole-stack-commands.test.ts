import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { localEndpoint } from '../infra/local/local-client.ts';
import { skipCommand } from '../infra/local/skip.ts';
import { openStackClock } from '../infra/local/stack-clock.ts';
import { personCommand } from '../infra/person/main.ts';
import { sendingCommand } from '../infra/sending/main.ts';
import { openDynamoDb } from '../shared/aws/dynamodb.ts';
import { dayMs, hourMs, minuteMs } from '../shared/kit/time-units.ts';
import { type Received, startReceiver } from '../shared/providers/webhook/receiver-fixture.ts';
import { itemKeys } from '../shared/table/keys.ts';
import { openTable } from '../shared/table/table.ts';
import { calledCommand } from './called-command.ts';
import { type Merchant, newMerchant } from './checkout-merchant.ts';
import { soon } from './soon.ts';
import { runProgram } from './stack-process.ts';
import { newDataDirectory, startTestStack, type TestStack } from './test-stack.ts';

// Commands that act on a whole stack, so this one is for no other file.

const mail = { channel: 'email', to: 'ada@example.com', subject: 'Hello', text: 'It works.' };
const inDays = (days: number): string => new Date(Date.now() + days * dayMs).toISOString();

const dataDirectory = newDataDirectory();
// No proxy is there: neither stack nor commands ask it for an address of this machine.
const proxy = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: 'http://127.0.0.1:9', no_proxy: 'example.com' };
const environment = { ...proxy, WEBHOOK_RETRY_DELAYS: '3600,7200,7200,7200', CHECKOUT_SESSION_TTL: '7200' };
let stack: TestStack;
beforeAll(async () => {
  // As when time was skipped before the stack was stopped.
  const clock = openStackClock(dataDirectory);
  clock.skip(10 * minuteMs);
  clock.close();
  stack = await startTestStack({ dataDirectory, environment });
});
afterAll(async () => {
  await stack.stop();
  stack.forget();
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
