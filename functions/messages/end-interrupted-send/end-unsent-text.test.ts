import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TextJob } from '../../../shared/messages/jobs.ts';
import { acceptedText } from '../../../test/accepted-message.ts';
import { linesOf } from '../../../test/log-lines.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { endSend } from './end-send-fixture.ts';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
});
afterAll(() => world.close());

const nowMs = Date.now();
const claimOf = (job: TextJob) =>
  world.textSends.pickUp(account.ref, job, { token: randomUUID(), isRepeatable: false, nowMs });
const end = (job: TextJob, atMs = nowMs + 60_000) => endSend(world)(job, atMs);
const seen = ({ message }: TextJob) => world.messages.find(account.ref, message);
const creditsLeft = async () => (await world.accounts.credits(account.ref.id))?.smsMasked ?? 0;

describe('a text whose worker failed too often', () => {
  it('ends as one that no provider took, and is given back once', async () => {
    const before = await creditsLeft();
    const queued = await acceptedText(world, account);
    const released = await acceptedText(world, account);
    const claimed = await claimOf(released);
    if (claimed.kind !== 'claimed') throw new Error('it was not claimed');
    await world.textSends.releaseClaim(account.ref, claimed, { isUnanswered: false, nowMs });
    for (const job of [queued, released]) {
      await Promise.allSettled([end(job), end(job), end(job)]);
      expect(await seen(job)).toMatchObject({ status: 'failed', failureCode: 'provider_unavailable' });
    }
    expect(await creditsLeft()).toBe(before);
  });

  it('raises the alarm of refused texts, once, because no other line says that a worker fails at all of them', async () => {
    const job = await acceptedText(world, account, { channel: 'whatsapp' });
    const lines = await linesOf(async () => {
      await end(job);
      await end(job);
    });
    const ids = { accountId: account.ref.id, messageId: job.message, channel: 'whatsapp' };
    expect(lines.filter(({ textsRefused }) => textsRefused === true)).toMatchObject([{ level: 'error', ...ids }]);
  });

  it('ends as expired when its time has passed', async () => {
    const job = await acceptedText(world, account, { expiresMs: nowMs + 60_000 });
    await end(job, nowMs + 60_000);
    expect(await seen(job)).toMatchObject({ status: 'failed', failureCode: 'expired' });
  });

  it('counts as sent, unconfirmed and paid for, when its provider may have taken it', async () => {
    const before = await creditsLeft();
    const job = await acceptedText(world, account);
    await claimOf(job);
    await end(job);
    expect(await seen(job)).toMatchObject({ status: 'sent', sentAt: null, failureCode: 'send_unconfirmed' });
    expect(await creditsLeft()).toBe(before - 1);
  });

  it('is left alone while a worker is at work on it, and looked at again', async () => {
    const job = await acceptedText(world, account);
    await claimOf(job);
    await expect(end(job, nowMs + 1_000)).rejects.toThrow();
    expect(await seen(job)).toMatchObject({ status: 'sending' });
  });

  it('stays what it is when it was sent after all; credits stay taken', async () => {
    const before = await creditsLeft();
    const job = await acceptedText(world, account);
    const claimed = await claimOf(job);
    if (claimed.kind !== 'claimed') throw new Error('it was not claimed');
    await world.messages.move(account.ref, claimed.message, 'providerAccepted', nowMs);
    await end(job);
    expect(await seen(job)).toMatchObject({ status: 'sent' });
    expect(await creditsLeft()).toBe(before - 1);
  });
});

it('a job that names no account fails', async () => {
  await expect(end({ kind: 'text', account: 'x', message: 'y', channel: 'sms' })).rejects.toThrow();
});
