import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../shared/kit/id.ts';
import { newEmail } from '../../../shared/messages/new-message.ts';
import { trafficJob } from '../../../shared/messages/traffic.ts';
import { queueWorker } from '../../../shared/work/queue-worker.ts';
import { acceptEmail } from '../../../test/accepted-message.ts';
import { contextWith } from '../../../test/lambda-context.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { recordTraffic } from './handler.ts';

const createdAt = '2026-11-20T12:00:00.000Z';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
});
afterAll(() => world.close());

/** Runs the worker with jobs as from SQS. Returns the numbers of failed jobs. */
const give = async (...bodies: unknown[]): Promise<number[]> => {
  const Records = bodies.map((body, n) => ({ messageId: String(n), body: JSON.stringify(body) }));
  const { batchItemFailures } = await queueWorker(trafficJob, recordTraffic(world))(
    { Records } as never,
    contextWith(),
  );
  return batchItemFailures.map(({ itemIdentifier }) => Number(itemIdentifier));
};

const newJob = () => ({
  account: account.ref.id,
  id: newId(Date.parse(createdAt)),
  origin: 'campaign',
  channel: 'sms',
  status: 'queued',
});
const statusOf = async (id: string) => (await world.messages.find(account.ref, id))?.status;

describe('account traffic', () => {
  it('is listed with the account’s other messages, without recipient, tags and metadata', async () => {
    const job = newJob();
    const failure = { failedAt: '2026-11-20T12:00:02Z', failureCode: 'carrier', failureReason: 'No such number.' };
    expect(await give({ ...job, status: 'failed', sentAt: '2026-11-20T12:00:01Z', ...failure })).toEqual([]);
    const { page } = await world.messages.list(account.ref, { channel: 'sms', status: 'failed' }, { limit: 1 });
    const [listed] = page;
    expect(listed).toMatchObject({
      id: job.id,
      to: null,
      tags: [],
      metadata: {},
      createdAt,
      sentAt: '2026-11-20T12:00:01.000Z',
      deliveredAt: null,
      failedAt: '2026-11-20T12:00:02.000Z',
      failureCode: 'carrier',
      failureReason: 'No such number.',
    });
  });

  it('is never of the origin that makes events, and holds no readable reason', async () => {
    const job = newJob();
    await give({ ...job, origin: 'automation', status: 'failed', failureReason: 'Ada is away.' });
    const row = (await world.scan()).find(({ SK }) => SK === job.id);
    expect(row).toMatchObject({ entity: 'message', origin: 'automation' });
    expect(Buffer.from(row?.['failureReason'] as Uint8Array).toString()).not.toContain('Ada');
  });

  it('gives no credit back when it has failed, because it took none', async () => {
    const before = await world.accounts.credits(account.ref.id);
    const job = newJob();
    await give(job, { ...job, status: 'failed' });
    expect(await world.accounts.credits(account.ref.id)).toEqual(before);
  });

  it('follows a message through its statuses', async () => {
    const job = newJob();
    for (const status of ['queued', 'sending', 'sent', 'delivered']) {
      expect(await give({ ...job, status })).toEqual([]);
      expect(await statusOf(job.id)).toBe(status);
    }
    const { page } = await world.messages.list(account.ref, { status: 'delivered' }, { limit: 1 });
    const [delivered] = page;
    expect(delivered?.id).toBe(job.id);
    expect(
      (await world.messages.list(account.ref, { status: 'sent' }, { limit: 100 })).page.map(({ id }) => id),
    ).not.toContain(job.id);
  });

  it('never moves a message back for late or repeated jobs', async () => {
    const job = { ...newJob(), channel: 'email' };
    const statuses = [
      'delivered',
      'queued',
      'sent',
      'delivered',
      'opened',
      'sending',
      'bounced',
      'opened',
      'delivered',
    ];
    expect(await give(...statuses.map((status) => ({ ...job, status })))).toEqual([]);
    expect(await statusOf(job.id)).toBe('opened');
  });

  it('fails a job for an unknown account, a malformed one, and one under the id of another message; the others are done', async () => {
    const api = newEmail({ channel: 'email', to: 'ada@example.com' }, newId(Date.parse(createdAt)));
    await acceptEmail(world, account.ref, api);
    const job = newJob();
    const wrong = [
      { ...newJob(), account: newId(0) },
      { ...newJob(), account: 'x' },
      { ...newJob(), id: crypto.randomUUID() },
      { ...newJob(), status: 'lost' },
      'x',
      { ...job, id: api.id, channel: 'email', status: 'delivered' },
      { ...job, channel: 'whatsapp', status: 'sent' },
      { ...job, origin: 'automation', status: 'sent' },
    ];
    expect(await give(job, ...wrong, { ...job, status: 'sent' })).toEqual(wrong.map((_, n) => n + 1));
    expect(await statusOf(job.id)).toBe('sent');
    expect(await statusOf(api.id)).toBe('sending');
  });
});
