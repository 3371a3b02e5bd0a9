import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StrandedJob, strandedJob } from '../../../shared/chores/stranded.ts';
import { sender } from '../../../shared/compliance/send.ts';
import { newId } from '../../../shared/kit/id.ts';
import { iso } from '../../../shared/kit/time.ts';
import { dayMs, hourMs } from '../../../shared/kit/time-units.ts';
import type { EndJob, TextJob } from '../../../shared/messages/jobs.ts';
import { type TextChannel, textChannels } from '../../../shared/messages/message.ts';
import { newEmail } from '../../../shared/messages/new-message.ts';
import type { EmailProvider } from '../../../shared/providers/email/email-provider.ts';
import { strandedStore } from '../../../shared/table/accounts/stranded-store.ts';
import { itemKeys } from '../../../shared/table/keys.ts';
import { spreadStore } from '../../../shared/table/messages/spread-store.ts';
import { unreportedStore } from '../../../shared/table/messages/unreported-store.ts';
import { resending } from '../../../shared/webhooks/resend.ts';
import { acceptEmail, acceptedText, handedOverText } from '../../../test/accepted-message.ts';
import { linesOf } from '../../../test/log-lines.ts';
import { startList, webhookCalls } from '../../../test/webhook-calls.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { endSend } from '../../messages/end-interrupted-send/end-send-fixture.ts';
import { findStranded } from './find-stranded.ts';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
});
afterAll(() => world.close());

const nowMs = Date.now();

/** The queues that a round sends work to. */
const queuesOf = () => {
  const queued: Record<string, unknown[]> = {};
  const queue = (name: string) => ({
    send: async (jobs: readonly unknown[]) => {
      queued[name] = [...(queued[name] ?? []), ...jobs];
    },
  });
  const queues = {
    interruptedSendsQueue: queue('interruptedSends'),
    textQueues: { sms: queue('sms'), whatsapp: queue('whatsapp') },
    webhookDeliveriesQueue: queue('webhookDeliveries'),
  };
  return { queues, queued };
};

/** Runs a round over all accounts, with the jobs that it queues. Returns the number of these jobs, and the work that it queued again. */
const wholeRound = async (atMs = nowMs, { stranded, unreported }: Pick<World, 'stranded' | 'unreported'> = world) => {
  const jobs: StrandedJob[] = [{}];
  const strandedWorkQueue = { send: async (more: readonly StrandedJob[]) => void jobs.push(...more) };
  const { queues, queued } = queuesOf();
  for (const job of jobs)
    await findStranded({ ...world, ...queues, stranded, unreported, strandedWorkQueue, clock: () => atMs })(
      strandedJob.parse(job),
      atMs,
    );
  return { jobs: jobs.length, queued };
};

const round = async (atMs = nowMs): Promise<number> => (await wholeRound(atMs)).jobs;

const sentText = async (account: TestAccount, atMs: number, channel: TextChannel = 'sms') => {
  const { id } = await handedOverText(world, account, { channel, atMs });
  return { find: () => world.messages.find(account.ref, id), id };
};

it('a round reads once how the messages of an account are spread', async () => {
  const own = await world.newAccount();
  const read: string[] = [];
  const get: World['table']['get'] = (key) => {
    read.push(key.PK);
    return world.table.get(key);
  };
  const table = { ...world.table, get };
  const spreads = spreadStore(table);
  await wholeRound(nowMs, {
    stranded: strandedStore(table, spreads),
    unreported: unreportedStore(table, world.vault, spreads),
  });
  expect(read.filter((place) => place === itemKeys.account(own.ref.id).PK)).toHaveLength(1);
});

describe('texts without a report', () => {
  it.each(textChannels)('by %s get a failure code after 72 hours, and stay sent', async (channel) => {
    const old = await sentText(account, nowMs - 72 * hourMs - 1, channel);
    const young = await sentText(account, nowMs - 72 * hourMs + 60_000, channel);
    await round();
    expect(await old.find()).toMatchObject({ status: 'sent', failureCode: 'report_timeout', failedAt: null });
    expect((await old.find())?.failureReason).toContain('72 hours');
    expect(await young.find()).toMatchObject({ status: 'sent', failureCode: null });
    await round(nowMs + hourMs);
    expect(await young.find()).toMatchObject({ failureCode: 'report_timeout' });
  });

  it('are found by a later round when some have failed, and marked once', async () => {
    const text = await sentText(account, nowMs - 90 * hourMs);
    await round();
    const marked = await text.find();
    expect(marked).toMatchObject({ failureCode: 'report_timeout' });
    const before = (await world.scan()).find(({ SK }) => SK === text.id);
    await round();
    expect((await world.scan()).find(({ SK }) => SK === text.id)).toEqual(before);
  });

  it('are marked in pages, each by a job, for any number of them', async () => {
    const busy = await world.newAccount({ credits: { smsMasked: 11 } });
    const texts = [];
    for (let n = 1; n <= 11; n += 1) texts.push(await sentText(busy, nowMs - 72 * hourMs - n));
    const unreported = unreportedStore(world.table, world.vault, world.spreads, 5);
    const { jobs } = await wholeRound(nowMs, { ...world, unreported });
    expect(jobs).toBeGreaterThan(2);
    for (const text of texts) expect(await text.find()).toMatchObject({ failureCode: 'report_timeout' });
  });

  it('are found once a day when they had waited for days before they were sent', async () => {
    const midnightMs = Math.ceil(nowMs / dayMs) * dayMs;
    const sentAt = async (sentMs: number) => {
      const job = await acceptedText(world, account, { atMs: midnightMs - 10 * dayMs });
      await world.textSends.pickUp(account.ref, job, { token: 'own', isRepeatable: false, nowMs: sentMs });
      const find = () => world.messages.find(account.ref, job.message);
      await world.messages.move(account.ref, (await find()) ?? expect.fail(), 'providerAccepted', sentMs);
      return find;
    };
    const [silent, young] = [await sentAt(midnightMs - 73 * hourMs), await sentAt(midnightMs - 70 * hourMs)];
    await round(midnightMs + 60_000);
    expect(await silent()).toMatchObject({ status: 'sent', failureCode: 'report_timeout' });
    expect(await young()).toMatchObject({ status: 'sent', failureCode: null });
  });

  it('are delivered when a late report arrives, and lose the failure code', async () => {
    const text = await sentText(account, nowMs - 73 * hourMs);
    await round();
    await world.outcomeRecorder.record(account.ref, text.id, { trigger: 'deliveryConfirmed' }, nowMs);
    expect(await text.find()).toMatchObject({ status: 'delivered', failureCode: null, failureReason: null });
  });

  it('do not include delivered or failed messages', async () => {
    const delivered = await sentText(account, nowMs - 73 * hourMs);
    await world.outcomeRecorder.record(account.ref, delivered.id, { trigger: 'deliveryConfirmed' }, nowMs);
    await round();
    expect(await delivered.find()).toMatchObject({ status: 'delivered', failureCode: null });
  });
});

describe('work whose job was lost', () => {
  const queuedFor = ({ queued }: { queued: Record<string, unknown[]> }, name: string, id: string) =>
    (queued[name] ?? []).filter((job) => Object.values(job as object).includes(id));

  it.each(textChannels)(
    'is queued again for its worker: a %s message that is still queued, once it is an hour old',
    async (channel) => {
      const old = await acceptedText(world, account, { channel, atMs: nowMs - hourMs });
      const young = await acceptedText(world, account, { channel, atMs: nowMs - hourMs + 60_000 });
      const { queued } = await wholeRound();
      expect(queuedFor({ queued }, channel, old.message)).toEqual([{ ...old, isSpare: true }]);
      expect(queuedFor({ queued }, channel, young.message)).toEqual([]);
    },
  );

  it('is queued again by a job that comes again like the first one, once the queue may drop the first one before the next round', async () => {
    const roundMs = nowMs + 256 * hourMs;
    const texts = [
      await acceptedText(world, account),
      await acceptedText(world, account, { atMs: roundMs - 128 * hourMs }),
    ];
    const { queued } = await wholeRound(roundMs);
    const [old, young] = texts.map(({ message }) => queuedFor({ queued }, 'sms', message));
    expect(old).toEqual([{ ...texts[0], isSpare: true, isOld: true }]);
    expect(young).toEqual([{ ...texts[1], isSpare: true }]);
  });

  it('is in the log by account, as accountId', async () => {
    const owner = await world.newAccount({ credits: { smsMasked: 2 } });
    await acceptedText(world, owner, { atMs: nowMs - hourMs });
    await sentText(owner, nowMs - 73 * hourMs);
    const lines = await linesOf(() => round());
    const ofOwner = lines.filter(({ accountId }) => accountId === owner.ref.id).map(({ message }) => message);
    expect(ofOwner.toSorted()).toEqual(['overdue work was queued again', 'texts without a report']);
  });

  it('is queued again for its worker: a text whose provider never answered', async () => {
    const { id } = await handedOverText(world, account, { isAnswered: false, atMs: nowMs - hourMs });
    const { queued } = await wholeRound();
    expect(queuedFor({ queued }, 'sms', id)).toEqual([
      { kind: 'text', account: account.ref.id, message: id, channel: 'sms', isSpare: true },
    ]);
  });

  it('is queued again for `end-interrupted-send`: an email that is still sending', async () => {
    const { ref } = account;
    const message = newEmail({ channel: 'email', to: 'ada@example.com' }, newId(nowMs - hourMs));
    await acceptEmail(world, ref, message);
    const { queued } = await wholeRound();
    expect(queuedFor({ queued }, 'interruptedSends', message.id)).toEqual([
      { account: ref.id, message: message.id, channel: 'email', run: expect.any(String) },
    ]);
    await world.messages.move(ref, message, 'providerAccepted', nowMs);
    expect(queuedFor(await wholeRound(), 'interruptedSends', message.id)).toEqual([]);
  });

  it('is queued again for its worker while other work of its account cannot be: a text, where emails have no queue', async () => {
    const own = await world.newAccount({ credits: { email: 1, smsMasked: 1 } });
    await acceptEmail(world, own.ref, newEmail({ channel: 'email', to: 'ada@example.com' }, newId(nowMs - hourMs)));
    const text = await acceptedText(world, own, { atMs: nowMs - hourMs });
    const { queues, queued } = queuesOf();
    const accounts = {
      ...world.accounts,
      page: async () => [{ id: own.ref.id, ref: own.ref, open: () => expect.fail() }],
    };
    const interruptedSendsQueue = { send: () => Promise.reject(new Error('the queue is gone')) };
    const needs = { ...world, ...queues, accounts, interruptedSendsQueue, strandedWorkQueue: startList<StrandedJob>() };
    await findStranded(needs)({ after: '' }, nowMs);
    expect(queuedFor({ queued }, 'sms', text.message)).toEqual([{ ...text, isSpare: true }]);
  });

  it('does not end an email that was begun again under its old id after the round found its first run', async () => {
    const { ref } = account;
    const message = newEmail({ channel: 'email', to: 'ada@example.com' }, newId(nowMs - hourMs));
    await acceptEmail(world, ref, message);
    const ofFirstRun = queuedFor(await wholeRound(), 'interruptedSends', message.id);
    await world.messages.withdraw(ref, message);
    await acceptEmail(world, ref, message);
    for (const job of ofFirstRun as EndJob[]) await endSend(world)(job, nowMs);
    expect(await world.messages.find(ref, message.id)).toMatchObject({ status: 'sending' });
    for (const job of queuedFor(await wholeRound(), 'interruptedSends', message.id) as EndJob[])
      await endSend(world)(job, nowMs);
    expect(await world.messages.find(ref, message.id)).toMatchObject({ failureCode: 'send_interrupted' });
  });

  it('does not include an email whose request is repeated an hour later, and is being sent', async () => {
    const { ref } = account;
    const email: EmailProvider = {
      send: async () => {
        const interruptedSendsQueue = startList<EndJob>();
        const strandedWorkQueue = startList<StrandedJob>();
        const needs = { ...world, ...queuesOf().queues, interruptedSendsQueue, strandedWorkQueue };
        await findStranded(needs)(strandedJob.parse({ after: '' }), nowMs);
        for (const [n, job] of interruptedSendsQueue.jobs.entries())
          if (interruptedSendsQueue.delays[n] === 0) await endSend(world)(job, nowMs);
        return { kind: 'accepted', reference: 'r' };
      },
    };
    const send = sender({ ...world, email, platformAddress: 'no-reply@platform.example', clock: Date.now });
    const body = { channel: 'email', to: 'ada@example.com', subject: 'Hello', text: 'Hello' } as const;
    const newIdOfBefore = newId(nowMs - hourMs);
    const sent = await send({ account: ref, body, newId: newIdOfBefore, nowMs, isResumed: true });
    expect(sent).toMatchObject({ id: newIdOfBefore, status: 'sent', failureCode: null });
  });

  it('is queued again in pages, for any amount of it', async () => {
    const busy = await world.newAccount({ credits: { smsMasked: 11 } });
    const jobs = [];
    for (let n = 0; n < 11; n += 1) jobs.push(await acceptedText(world, busy, { atMs: nowMs - 2 * hourMs + n }));
    const { queued } = await wholeRound(nowMs, {
      ...world,
      stranded: strandedStore(world.table, world.spreads, 5),
    });
    const found = new Set((queued['sms'] as TextJob[]).map(({ message }) => message));
    expect(jobs.filter(({ message }) => !found.has(message))).toEqual([]);
  });

  it('is queued again for its worker: a webhook delivery whose first attempt, or whose next, was lost, until it has ended', async () => {
    const subscriber = await world.newAccount();
    const calls = webhookCalls(world);
    const { id: webhookId } = await calls.subscribe(subscriber);
    const [job] = await calls.begin(subscriber);
    if (!job) throw new Error('nothing was begun');
    const overdue = async (ageMs = hourMs) =>
      queuedFor(await wholeRound(Date.now() + ageMs), 'webhookDeliveries', job.delivery);
    const attempt = (statusCode: number, mostAttempts = 5) => calls.record(job, { statusCode }, mostAttempts);
    expect(await overdue()).toEqual([{ ...job, earlierAttempts: 0 }]);
    expect(await overdue(hourMs / 2)).toEqual([]);

    expect(await attempt(503)).toBe('pending');
    // The first attempt queues the next one for its due time.
    expect(await overdue()).toEqual([{ ...job, attempt: 1, earlierAttempts: 0 }]);
    expect(await attempt(503)).toBe('pending');
    expect(await overdue()).toEqual([{ ...job, attempt: 2, earlierAttempts: 0 }]);

    expect(await attempt(503, 3)).toBe('failed');
    expect(await overdue()).toEqual([]);
    const webhook = (await world.webhooks.find(subscriber.ref, webhookId)) ?? expect.fail();
    const monthMs = 29 * 24 * hourMs;
    await resending(world).resend(subscriber.ref.id, webhook, job.delivery, Date.now() + monthMs);
    expect(await overdue(monthMs + hourMs)).toEqual([{ ...job, attempt: 4, earlierAttempts: 3 }]);
    expect(await attempt(200)).toBe('succeeded');
    expect(await overdue(monthMs + hourMs)).toEqual([]);
  });
});

it('a round leaves its first account to another job than the deliveries, because a visit may take all the time that a job has', async () => {
  const strandedWorkQueue = startList<StrandedJob>();
  const page = () => expect.fail('an account was visited');
  const accounts = { ...world.accounts, page };
  await findStranded({ ...world, ...queuesOf().queues, accounts, strandedWorkQueue })({}, nowMs);
  expect(strandedWorkQueue.jobs).toEqual([{ after: '', roundMs: nowMs }]);
});

it('a round leaves the messages of campaigns and automations to the service that sends them', async () => {
  const own = await world.newAccount();
  const reported = { account: own.ref.id, origin: 'campaign', ...{ deliveredAt: null, failedAt: null } } as const;
  const none = { failureReason: null, failureCode: null };
  const [sending, sent] = [newId(nowMs - hourMs), newId(nowMs - 73 * hourMs)];
  const sentAt = iso(nowMs - 73 * hourMs);
  await world.traffic.record(own.ref, {
    ...reported,
    ...none,
    id: sending,
    channel: 'email',
    status: 'sending',
    sentAt: null,
  });
  await world.traffic.record(own.ref, { ...reported, ...none, id: sent, channel: 'sms', status: 'sent', sentAt });
  const { queued } = await wholeRound();
  for (const job of (queued['interruptedSends'] ?? []) as EndJob[]) await endSend(world)(job, nowMs);
  expect(await world.messages.find(own.ref, sending)).toMatchObject({ status: 'sending', failureCode: null });
  expect(await world.messages.find(own.ref, sent)).toMatchObject({ status: 'sent', failureCode: null });
});

it('a round visits every account, in two jobs when they are more than 25, after one for the deliveries', async () => {
  const more: TestAccount[] = [];
  for (let n = 0; n < 24; n += 1) more.push(await world.newAccount());
  const ends = [account, more.at(-1) ?? expect.fail()];
  const texts = await Promise.all(ends.map((one) => sentText(one, nowMs - 72 * hourMs - 1)));
  expect(await round()).toBe(3);
  for (const text of texts) expect(await text.find()).toMatchObject({ status: 'sent', failureCode: 'report_timeout' });
});
