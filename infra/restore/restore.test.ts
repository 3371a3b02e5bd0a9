import { randomBytes } from 'node:crypto';
import { S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { countMessages } from '../../functions/messages/count-messages/handler.ts';
import { endSend } from '../../functions/messages/end-interrupted-send/end-send-fixture.ts';
import { bodyTo, newBench, startMs } from '../../functions/messages/send-scheduled/send-scheduled-fixture.ts';
import { newBench as newTextBench, refused } from '../../functions/messages/send-text/send-text-fixture.ts';
import { countName, messagesIn } from '../../shared/analytics/counts.ts';
import { newId } from '../../shared/kit/id.ts';
import { JsonText } from '../../shared/kit/json-text.ts';
import { hourMs } from '../../shared/kit/time-units.ts';
import type { ScheduledJob, TextJob } from '../../shared/messages/jobs.ts';
import type { MailOutcome } from '../../shared/messages/mail.ts';
import type { Channel } from '../../shared/messages/message.ts';
import { keyRingStore } from '../../shared/table/accounts/key-ring-store.ts';
import { streamReader } from '../../shared/work/stream-reader.ts';
import { acceptedText } from '../../test/accepted-message.ts';
import { readMessageRecords } from '../../test/message-records.ts';
import { startWorld, type TestAccount, type World } from '../../test/world.ts';
import { localClient } from '../local/local-client.ts';
import { openSubjectFiles } from '../person/files.ts';
import { personOf } from '../person/person.ts';
import { rotateKeys } from '../rotate-keys/rotate-keys.ts';
import { reviewing } from './review.ts';
import { settling } from './settle.ts';

/** The table is restored to half an hour after the start, an hour and a half later. */
const nowMs = startMs + 2 * hourMs;
const clock = () => nowMs;

const kmsKey = randomBytes(32).toString('base64');
/** A world until the end of the test. */
const newWorld = async (): Promise<World> => {
  const world = await startWorld({ kmsKey, hasStream: true });
  onTestFinished(world.close);
  return world;
};

let former: World;
let account: TestAccount;
let dump: Awaited<ReturnType<World['scan']>>;
/** Names of messages by their ids. */
const nameOf = new Map<string, string>();
const idOf = (name: string): string => [...nameOf].find(([, one]) => one === name)?.[0] ?? expect.fail(name);
const textJobs: TextJob[] = [];
const scheduledJobs: ScheduledJob[] = [];

beforeAll(async () => {
  former = await startWorld({ kmsKey, hasStream: true });
  account = await former.newAccount();
  const { ref } = account;
  const bench = newBench(former);
  const texts = newTextBench(former);
  const schedule = async (name: string, channel: Channel, aheadMs: number) => {
    const { contactId: _, ...body } = { contactId: '', ...(await bodyTo(former, ref, channel)) };
    const { id } = await bench.send(ref, body, aheadMs);
    nameOf.set(id, name);
    scheduledJobs.push({ kind: 'send', account: ref.id, message: id, channel });
  };
  const queueText = async (name: string) => {
    const job = await acceptedText(former, account, { atMs: bench.time.nowMs });
    nameOf.set(job.message, name);
    textJobs.push(job);
    return job;
  };
  await schedule('sent email', 'email', hourMs);
  await schedule('sent sms', 'sms', hourMs);
  await schedule('cancelled email', 'email', hourMs);
  await schedule('later email', 'email', 10 * hourMs);
  await schedule('moved email', 'email', 10 * hourMs);
  const sentText = await queueText('sent text');
  await queueText('waiting text');
  const readRecords = await readMessageRecords(former);
  await streamReader(countMessages(former), clock)({ Records: await readRecords() });
  dump = await former.scan();

  await Array.fromAsync(rotateKeys(former, clock)());
  await bench.cancel(ref, idOf('cancelled email'));
  await bench.reschedule(ref, idOf('moved email'), 20 * hourMs);
  bench.time.nowMs += hourMs;
  await bench.sweep();
  await bench.work();
  const sms: TextJob = { kind: 'text', account: ref.id, message: idOf('sent sms'), channel: 'sms' };
  textJobs.push(sms);
  texts.time.nowMs = bench.time.nowMs;
  await texts.give(sentText, sms, await queueText('new text'));
  expect([bench.mails.length, texts.sent.length]).toEqual([1, 3]);
});
afterAll(() => former.close());

/** A world with the table as it was, and its workers, who have all the jobs of before. */
const restore = async (items = dump, wishes: Parameters<typeof newTextBench>[1] = {}) => {
  const world = await newWorld();
  for (const Item of items) await world.table.put({ Item });
  const bench = newBench(world);
  const texts = newTextBench(world, wishes);
  const sent = () => [...bench.mails, ...texts.sent].map(({ messageId }) => nameOf.get(messageId)).sort();
  return {
    world,
    sent,
    awaitingReport: () => texts.interruptedSends.take().map(({ job }) => job),
    settle: async (wishes: Parameters<ReturnType<typeof settling>>[0] = {}) =>
      (await Array.fromAsync(settling(world, clock)(wishes)))
        .map(({ message, outcome }) => `${nameOf.get(message)}: ${outcome}`)
        .sort(),
    review: reviewing(world, clock),
    statusOf: (name: string) => world.messages.find(account.ref, idOf(name)),
    /** Runs all that is due until then. */
    work: async (untilMs: number): Promise<void> => {
      bench.time.nowMs = nowMs;
      await bench.give(scheduledJobs);
      for (; bench.time.nowMs <= untilMs; bench.time.nowMs += hourMs / 2) {
        await bench.sweep();
        await bench.work();
      }
      texts.time.nowMs = untilMs;
      expect(await texts.give(...textJobs)).toBe(0);
    },
    giveTexts: texts.give,
  };
};

const names = async (rows: AsyncIterable<{ readonly message: string }>) =>
  (await Array.fromAsync(rows)).map(({ message }) => nameOf.get(message)).sort();

it('a restored table that is not settled sends again what was sent since', async () => {
  const { work, sent } = await restore();
  await work(nowMs + hourMs);
  expect(sent()).toEqual(['cancelled email', 'sent email', 'sent sms', 'sent text', 'waiting text']);
});

describe('npm run restore settles a restored table', () => {
  it('by the former one: nothing is sent twice, what waited is sent, and what was cancelled waits for a decision', async () => {
    const { world, settle, work, sent, review, giveTexts } = await restore();
    const outcomes = [
      'cancelled email: held',
      'later email: known',
      'moved email: known',
      'sent email: known',
      'sent sms: known',
      'sent text: known',
      'waiting text: known',
    ];
    const before = await world.scan();
    expect(await settle({ former: former.table, isDryRun: true })).toEqual(outcomes);
    expect(await world.scan()).toEqual(before);
    expect(await settle({ former: former.table })).toEqual(outcomes);
    for (const id of ['people', account.ref.id])
      expect(await keyRingStore(world.table).read(id)).toEqual(await keyRingStore(former.table).read(id));
    await work(nowMs + 15 * hourMs);
    expect(sent()).toEqual(['later email', 'waiting text']);
    await work(nowMs + 21 * hourMs);
    expect(sent()).toEqual(['later email', 'moved email', 'waiting text']);
    expect(await names(review.chosen('all'))).toEqual(['cancelled email']);
    // Accounts that were created since are unknown: their jobs fail until they are parked, and hold up no others.
    const unknown = { ...textJobs[0], account: newId(nowMs) };
    expect(await giveTexts(unknown, ...textJobs)).toBe(1);
  });

  it('by the former one: nothing is left beside a message whose recipient was erased there', async () => {
    const served = await newWorld();
    const { ref } = await served.newAccount();
    const bench = newBench(served);
    const { contactId: _, ...body } = { contactId: '', ...(await bodyTo(served, ref, 'email')) };
    await bench.send(ref, { ...body, metadata: JsonText.of({ note: 'x'.repeat(500) }) }, hourMs);
    const items = await served.scan();
    bench.time.nowMs += 2 * hourMs;
    await bench.sweep();
    await bench.work();
    const files = openSubjectFiles(new S3Client({ ...localClient(served.s3.url), forcePathStyle: true }), 'files');
    const asked = { address: String(body.to), account: ref.id };
    // Its event is not stored here, and not expected any more by then.
    const person = personOf({ ...served, files }, () => bench.time.nowMs + 31 * 24 * hourMs);
    const left = (await Array.fromAsync(person.erase(asked))).map((count) => count.left);
    expect(left).toEqual([0, 0]);

    const { world, settle } = await restore(items);
    const beside = async () =>
      (await world.scan()).flatMap(({ entity }) => (/^(message-body|mail-part)$/.test(String(entity)) ? [entity] : []));
    expect((await beside()).sort()).toEqual(['mail-part', 'message-body']);
    await settle({ former: served.table });
    expect(await beside()).toEqual([]);
  });

  it('by the former one: the credit of a message that was not sent since is given back, once', async () => {
    const served = await newWorld();
    const owner = await served.newAccount();
    const texts = newTextBench(served, { answer: () => refused });
    const job = await acceptedText(served, owner, { atMs: startMs });
    await streamReader(countMessages(served), clock)({ Records: await (await readMessageRecords(served))() });
    const items = await served.scan();
    await texts.give(job);
    const given = await served.accounts.credits(owner.ref.id);

    const { world, settle } = await restore(items);
    const credits = () => world.accounts.credits(owner.ref.id);
    expect((await credits())?.smsMasked).toBe(Number(given?.smsMasked) - 1);
    for (let n = 0; n < 2; n += 1) {
      await settle({ former: served.table });
      expect(await credits()).toEqual(given);
      expect(await world.messages.find(owner.ref, job.message)).toMatchObject({
        status: 'failed',
        price: { credits: 0 },
      });
      const counts = await world.analytics.count(owner.ref, { startMs, endMs: startMs + hourMs - 1 }, nowMs);
      expect([...counts].filter(([, number]) => number !== 0)).toEqual([[countName('sms', 'failed'), 1]]);
    }
  });

  it('by the former one: an email that was put off since is sent, also where every write was the last of a run', async () => {
    const served = await newWorld();
    const { ref } = await served.newAccount();
    let items: typeof dump = [];
    const sends: World['sends'] = {
      ...served.sends,
      putOff: async (...given) => {
        items = await served.scan();
        return served.sends.putOff(...given);
      },
    };
    const busy: MailOutcome = { kind: 'unavailable', isBusy: true, retryAfterSeconds: 1 };
    const { id } = await newBench({ ...served, sends }, { answer: () => busy }).send(
      ref,
      await bodyTo(served, ref, 'email'),
      undefined,
    );

    const { world } = await restore(items);
    const settle = settling(world, clock);
    let [runs, writes] = [0, 0];
    const end = world.loseAnswers((command) => /^(Put|Update|Delete|TransactWrite)/.test(command) && ++writes > runs, {
      forGood: true,
    });
    const settleAll = (): Promise<unknown> =>
      Array.fromAsync(settle({ former: served.table })).catch((thrown: unknown) => {
        expect(String(thrown)).toContain('socket hang up');
        [runs, writes] = [runs + 1, 0];
        return settleAll();
      });
    await settleAll();
    end();
    const bench = newBench(world);
    bench.time.nowMs = nowMs;
    await bench.sweep();
    await bench.work();
    expect(bench.mails.map(({ messageId }) => messageId)).toEqual([id]);
  });

  it.each(['by', 'without'])('%s the former one: each message is counted as what it is now', async (how) => {
    const { world, settle } = await restore();
    const hour = { startMs, endMs: startMs + hourMs - 1 };
    for (let n = 0; n < 2; n += 1) {
      await settle(how === 'by' ? { former: former.table } : {});
      const { page } = await world.messages.list(account.ref, {}, { limit: 100 });
      const counts = await world.analytics.count(account.ref, hour, nowMs);
      const names = new Set(page.map(({ channel, status }) => countName(channel, status)));
      for (const name of names)
        expect([name, counts.get(name)]).toEqual([
          name,
          page.filter(({ channel, status }) => countName(channel, status) === name).length,
        ]);
      expect(messagesIn([...counts])).toBe(page.length);
    }
  });

  it.each([
    ['', false],
    [' also at a gateway that takes our reference,', true],
  ])(
    'without the former one: texts count as sent unless a report says more,%s scheduled messages wait for a decision',
    async (_, takesReference) => {
      const { world, settle, work, sent, awaitingReport, statusOf } = await restore(dump, { takesReference });
      const outcomes = [
        'cancelled email: held',
        'sent email: held',
        'sent sms: held',
        'sent text: uncertain',
        'waiting text: uncertain',
      ];
      expect(await settle()).toEqual(outcomes);
      const settled = await world.scan();
      expect(await settle()).toEqual(outcomes.filter((line) => line.endsWith('uncertain')));
      expect(await world.scan()).toEqual(settled);
      await work(nowMs + hourMs);
      expect(sent()).toEqual([]);
      for (const job of awaitingReport()) await endSend(world)(job, nowMs + hourMs);
      for (const name of ['sent text', 'waiting text'])
        expect(await statusOf(name)).toMatchObject({ status: 'sent', failureCode: 'send_unconfirmed' });
    },
  );

  it('and an operator decides: one is sent once, another ends and its credit is returned, the others wait', async () => {
    const { world, settle, work, sent, review, statusOf } = await restore();
    await settle();
    expect(await names(review.chosen('all'))).toEqual(['cancelled email', 'sent email', 'sent sms']);
    expect(await names(review.chosen(idOf('sent sms')))).toEqual(['sent sms']);
    await expect(Array.fromAsync(review.chosen('unknown'))).rejects.toThrow('waits for a decision');
    const credits = (await world.accounts.credits(account.ref.id))?.email ?? 0;
    expect(await names(review.end(idOf('sent email')))).toEqual(['sent email']);
    expect(await statusOf('sent email')).toMatchObject({ status: 'failed', failureCode: 'restored' });
    expect(await world.accounts.credits(account.ref.id)).toMatchObject({ email: credits + 1 });
    expect(await names(review.send(idOf('cancelled email')))).toEqual(['cancelled email']);
    await work(nowMs + hourMs);
    expect(sent()).toEqual(['cancelled email']);
    await expect(Array.fromAsync(review.send(idOf('sent email')))).rejects.toThrow('waits for a decision');
    expect(await names(review.chosen('all'))).toEqual(['sent sms']);
    await names(review.send('all'));
    await work(nowMs + hourMs);
    expect(sent()).toEqual(['cancelled email', 'sent sms']);
    expect(await names(review.chosen('all'))).toEqual([]);
  });

  it('without the former one, soon after: one whose job was queued already waits for a decision, one that is due later does not', async () => {
    const world = await newWorld();
    const { ref } = await world.newAccount();
    const bench = newBench(world);
    const { id } = await bench.send(ref, await bodyTo(world, ref, 'email'), 90_000);
    await bench.send(ref, await bodyTo(world, ref, 'email'), 600_000);
    await bench.sweep();
    const soon = () => bench.time.nowMs + 300_000;
    const settled = await Array.fromAsync(settling(world, soon)());
    expect(settled.map(({ message, outcome }) => [message, outcome])).toEqual([[id, 'held']]);
  });

  it('without the former one: an email that a busy provider had not taken waits for a decision, because it may have been sent since', async () => {
    const world = await newWorld();
    const { ref } = await world.newAccount();
    let answer: MailOutcome = { kind: 'unavailable', isBusy: true, retryAfterSeconds: 1 };
    const bench = newBench(world, { answer: () => answer });
    const { id } = await bench.send(ref, await bodyTo(world, ref, 'email'), undefined);
    answer = { kind: 'accepted' };
    expect(await Array.fromAsync(settling(world, clock)())).toMatchObject([{ message: id, outcome: 'held' }]);
    const work = async () => {
      bench.time.nowMs = nowMs;
      await bench.sweep();
      await bench.work();
      return bench.mails.map(({ messageId }) => messageId);
    };
    expect(await work()).toEqual([]);
    await Array.fromAsync(reviewing(world, clock).send(id));
    expect(await work()).toEqual([id]);
  });

  it('and one that waits for a decision is sent at the time to which its account moves it', async () => {
    const { world, settle, work, sent, review, statusOf } = await restore();
    await settle();
    const message = await statusOf('sent email');
    if (!message) return expect.fail('it is gone');
    expect(await world.scheduled.reschedule(account.ref, message, nowMs + 24 * hourMs)).toBe(true);
    expect(await names(review.chosen('all'))).toEqual(['cancelled email', 'sent sms']);
    await work(nowMs + 23 * hourMs);
    expect(sent()).not.toContain('sent email');
    await work(nowMs + 25 * hourMs);
    expect(sent()).toContain('sent email');
  });

  it('and one that waits for a decision can be cancelled by its account', async () => {
    const { world, settle, review, statusOf } = await restore();
    await settle();
    const message = await statusOf('sent email');
    if (!message) return expect.fail('it is gone');
    expect(await world.scheduled.cancel(account.ref, message, nowMs)).toBe(true);
    expect(await names(review.chosen('all'))).toEqual(['cancelled email', 'sent sms']);
  });

  it('of a restored table again, by the one that served since: what was decided is known, and nothing is sent twice', async () => {
    const first = await restore();
    await first.settle();
    const items = await first.world.scan();
    await names(first.review.send(idOf('sent sms')));
    await first.work(nowMs + hourMs);
    await names(first.review.send(idOf('sent email')));
    const second = await restore(items);
    expect(await second.settle({ former: first.world.table })).toEqual([
      'cancelled email: known',
      'later email: known',
      'moved email: known',
      'sent email: known',
      'sent sms: known',
      'sent text: known',
      'waiting text: known',
    ]);
    expect(await names(second.review.chosen('all'))).toEqual(['cancelled email']);
    await second.work(nowMs + hourMs);
    expect([first.sent(), second.sent()]).toEqual([['sent sms'], ['sent email']]);
  });
});
