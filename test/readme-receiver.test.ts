import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { freePort } from '../infra/local/free-port.ts';
import { type Merchant, newMerchant } from './checkout-merchant.ts';
import { soon } from './soon.ts';
import { type SharedStack, shareTestStack } from './test-stack.ts';

// Runs a copy of the README's receiver.

const mostLines = 30;

const [, block = ''] = /```\w*\n(\/\/ receiver\.mjs\n.*?)```/s.exec(readFileSync('README.md', 'utf8')) ?? [];

let stack: SharedStack;
let merchant: Merchant;
let directory: string;
let receiver: ChildProcess;
let url: string;
let secret: string;
let output = '';
beforeAll(async () => {
  stack = await shareTestStack();
  merchant = await newMerchant(stack);
  const port = await freePort();
  url = `http://localhost:${port}`;
  const wish = { url, events: ['payment.succeeded', 'payment.failed'] };
  secret = (await stack.admin('POST', `/accounts/${merchant.id}/checkout-webhooks`, wish)).body.data.secret;
  directory = mkdtempSync(join(tmpdir(), 'receiver-'));
  writeFileSync(join(directory, 'receiver.mjs'), block);
  const env = { ...process.env, PORT: String(port) };
  receiver = spawn(process.execPath, ['receiver.mjs', secret], { cwd: directory, env });
  for (const stream of [receiver.stdout, receiver.stderr]) stream?.on('data', (text) => (output += text));
  await vi.waitUntil(() => fetch(url).catch(() => false), soon);
});
afterAll(async () => {
  receiver.kill();
  await once(receiver, 'exit');
  rmSync(directory, { recursive: true, force: true });
});

const post = async (body: string, headers: Readonly<Record<string, string>>) =>
  (await fetch(url, { method: 'POST', body, headers })).status;
const signature = (key: string, body: string) => `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;

it('the receiver prints one line with the order of each payment, and acknowledges all events', async () => {
  await merchant.paid(1_001, { metadata: { orderId: 'declined-1041' } });
  await merchant.paid(600_000, { metadata: { orderId: 'A-1042' } });
  await expect.poll(() => output, soon).toContain('A-1042');
  const path = `/accounts/${merchant.id}/checkout-webhooks`;
  const [{ id }] = (await stack.admin('GET', path)).body.data;
  const deliveries = async () => (await stack.admin('GET', `${path}/${id}/deliveries`)).body.data;
  const states = async () => (await deliveries()).map(({ state }: { state: string }) => state);
  await expect.poll(states, soon).toEqual(['succeeded', 'succeeded']);
  for (const { id: delivery } of await deliveries()) {
    await stack.admin('POST', `${path}/${id}/deliveries/${delivery}/resend`);
  }
  const attempts = async () => (await deliveries()).flatMap((delivery: { attempts: object[] }) => delivery.attempts);
  await expect.poll(async () => (await attempts()).length, soon).toBe(4);
  expect(output.trim().split('\n')).toEqual([expect.stringContaining('A-1042')]);
});

it('400 for a forged event', async () => {
  const before = output;
  const data = { paymentId: 'p', amountMinor: 1, currency: 'BDT', metadata: { orderId: 'forged' } };
  const body = JSON.stringify({ event: 'payment.succeeded', merchantId: merchant.id, data });
  for (const sent of [
    signature('another secret', body),
    signature(secret, `${body} `),
    signature(secret, body).slice('sha256='.length),
    signature(secret, body).slice(0, -1),
    'sha256=',
    '',
  ]) {
    expect([sent, await post(body, { 'x-checkout-signature': sent })]).toEqual([sent, 400]);
  }
  expect(await post(body, {})).toBe(400);
  expect(output).toBe(before);
  expect(await post(body, { 'x-checkout-signature': signature(secret, body) })).toBe(204);
  await expect.poll(() => output, soon).toContain('forged');
});

it('survives a request that is cut off in the middle of its body', async () => {
  const socket = connect(Number(new URL(url).port), 'localhost');
  await once(socket, 'connect');
  socket.end('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nabc');
  await once(socket.resume(), 'close');
  expect(await post('{}', {})).toBe(400);
  expect(receiver.exitCode).toBeNull();
});

it('the receiver is short enough to read', () => {
  expect(block.trimEnd().split('\n').length).toBeLessThanOrEqual(mostLines);
});
