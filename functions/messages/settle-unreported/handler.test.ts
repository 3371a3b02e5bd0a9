import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RoundJob } from '../../../shared/accounts/round.ts';
import { type TextChannel, textChannels } from '../../../shared/messages/message.ts';
import { handedOverText } from '../../../test/accepted-text.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { settleUnreported } from './handler.ts';

const hourMs = 3_600_000;

let world: World;
let accounts: TestAccount[];
beforeAll(async () => {
  world = await startWorld();
  accounts = [];
  for (let n = 0; n < 27; n += 1) accounts.push(await world.newAccount());
});
afterAll(() => world.close());

const nowMs = Date.now();

/** Goes round all accounts, as the jobs that it queues say; gives how many jobs that took. */
const round = async (atMs = nowMs): Promise<number> => {
  const jobs: RoundJob[] = [{}];
  const unreportedTexts = { send: async (more: readonly RoundJob[]) => void jobs.push(...more) };
  for (const job of jobs) await settleUnreported({ ...world, unreportedTexts })(job, atMs);
  return jobs.length;
};

const sentText = async (account: TestAccount, atMs: number, channel: TextChannel = 'sms') => {
  const { id } = await handedOverText(world, account, { channel, atMs });
  return { find: () => world.messages.find(account.ref, id), id };
};

describe('texts of which no report came', () => {
  it.each(textChannels)('by %s say so after 72 hours, of every account, and stay sent', async (channel) => {
    for (const account of [accounts.at(0), accounts.at(-1)]) {
      if (!account) throw new Error('there is no account');
      const old = await sentText(account, nowMs - 72 * hourMs - 1, channel);
      const young = await sentText(account, nowMs - 72 * hourMs + 60_000, channel);
      expect(await round()).toBe(2);
      expect(await old.find()).toMatchObject({ status: 'sent', failureCode: 'report_timeout', failedAt: null });
      expect((await old.find())?.failureReason).toContain('72 hours');
      expect(await young.find()).toMatchObject({ status: 'sent', failureCode: null });
      await round(nowMs + hourMs);
      expect(await young.find()).toMatchObject({ failureCode: 'report_timeout' });
    }
  });

  it('are found by a later round when some have failed, and marked once', async () => {
    const [account] = accounts;
    if (!account) throw new Error('there is no account');
    const text = await sentText(account, nowMs - 90 * hourMs);
    await round();
    const marked = await text.find();
    expect(marked).toMatchObject({ failureCode: 'report_timeout' });
    const before = (await world.scan()).find(({ SK }) => SK === text.id);
    await round();
    expect((await world.scan()).find(({ SK }) => SK === text.id)).toEqual(before);
  });

  it('are delivered when it comes after all, and do not speak of failure any more', async () => {
    const [account] = accounts;
    if (!account) throw new Error('there is no account');
    const text = await sentText(account, nowMs - 73 * hourMs);
    await round();
    await world.outcomes.record(account.ref, text.id, { trigger: 'deliveryConfirmed' }, nowMs);
    expect(await text.find()).toMatchObject({ status: 'delivered', failureCode: null, failureReason: null });
  });

  it('are no messages that were delivered or failed', async () => {
    const [account] = accounts;
    if (!account) throw new Error('there is no account');
    const delivered = await sentText(account, nowMs - 73 * hourMs);
    await world.outcomes.record(account.ref, delivered.id, { trigger: 'deliveryConfirmed' }, nowMs);
    await round();
    expect(await delivered.find()).toMatchObject({ status: 'delivered', failureCode: null });
  });
});
