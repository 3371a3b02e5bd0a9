import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newAccountSettings } from '../../../shared/accounts/account.ts';
import { type TextJob, textJob } from '../../../shared/messages/jobs.ts';
import type { TextChannel } from '../../../shared/messages/message.ts';
import type { Text } from '../../../shared/providers/text/text-provider.ts';
import { acceptedText } from '../../../test/accepted-message.ts';
import { countConsumption } from '../../../test/consumption.ts';
import { modelRuns } from '../../../test/model-runs.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { accepted, newBench, refused, unavailable, unknown } from './send-text-fixture.ts';
import { takeTurns } from './take-turns.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const rateOf = (channel: TextChannel, messagesPerSecond: number | null) => ({
  [channel]: { ...newAccountSettings('')[channel], messagesPerSecond },
});
/** The most of these times that are in one second. They are whole milliseconds, so what is a second apart can be one less. */
const mostPerSecond = (times: readonly number[]): number =>
  Math.max(...times.map((fromMs) => times.filter((atMs) => atMs >= fromMs && atMs < fromMs + 999).length));

const accountWith = (messagesPerSecond: number | null) =>
  world.newAccount({ settings: rateOf('sms', messagesPerSecond) });

/** When texts that come at these times are given to a sender, and how often each of their jobs comes. `late`: by how much a delay takes longer. */
const turnsOf = async (perSecond: number, arrivals: readonly number[], late: Iterator<number>) => {
  let [nextMs, nowMs] = [0, 0];
  let waiting = arrivals.map((atMs, n) => ({
    atMs,
    job: textJob.parse({ account: 'a', message: `${n}`, channel: 'sms' }),
  }));
  const queue = {
    send: async (jobs: readonly TextJob[], { delaySeconds = 0 } = {}): Promise<void> => {
      waiting.push(...jobs.map((job) => ({ job, atMs: nowMs + delaySeconds * 1_000 + late.next().value })));
    },
  };
  const textTurns = {
    take: async (_account: string, _channel: TextChannel, { segments }: { segments: number }): Promise<number> => {
      const beginMs = Math.max(nextMs, nowMs);
      nextMs = beginMs + (segments * 1_000) / perSecond;
      return beginMs;
    },
    freeAt: async () => nextMs,
  };
  const needs = { textTurns, textQueues: { sms: queue, whatsapp: queue }, clock: () => nowMs };
  const times: number[] = [];
  const comings = arrivals.map(() => 0);
  while (waiting.length > 0) {
    const [first, ...others] = waiting.toSorted((a, b) => a.atMs - b.atMs);
    if (!first) break;
    waiting = others;
    nowMs = first.atMs;
    comings[Number(first.job.message)] = (comings[Number(first.job.message)] ?? 0) + 1;
    const due = await takeTurns(needs, { account: 'a', channel: 'sms' }, perSecond, [first.job]);
    times.push(...due.map(({ beginMs }) => Math.max(nowMs, beginMs)));
  }
  return { times, comings };
};

describe('a sender that takes so many messages a second', () => {
  it('is given no more in any second, regardless of what waits, and every job comes back once', async () => {
    const account = await accountWith(3);
    const bench = newBench(world);
    const jobs = await Promise.all(Array.from({ length: 20 }, () => acceptedText(world, account)));
    const startedMs = bench.time.nowMs;
    let waiting: { readonly job: TextJob; readonly dueMs: number }[] = jobs.map((job) => ({ job, dueMs: startedMs }));
    const times: number[] = [];
    let given = 0;
    while (waiting.length > 0) {
      const due = waiting.filter(({ dueMs }) => dueMs <= bench.time.nowMs).map(({ job }) => job);
      waiting = waiting.filter(({ dueMs }) => dueMs > bench.time.nowMs);
      given += due.length;
      for (let start = 0; start < due.length; start += 10) await bench.give(...due.slice(start, start + 10));
      const again = bench.texts.sms.take();
      waiting.push(...again.map(({ job, delaySeconds }) => ({ job, dueMs: bench.time.nowMs + delaySeconds * 1_000 })));
      const waits = bench.slept.splice(0);
      const atOnce = bench.sent.length - times.length - waits.length;
      times.push(...[...Array<number>(atOnce).fill(0), ...waits].map((waitMs) => bench.time.nowMs + waitMs));
      bench.time.nowMs += 1_000;
    }
    expect(mostPerSecond(times)).toBe(3);
    expect(Math.max(...times) - startedMs).toBe(6_334);
    expect(new Set(bench.sent.map(({ messageId }) => messageId)).size).toBe(20);
    expect(given).toBe(20 + 16);
  });

  it.each([
    [1, [0, 100, 900], [0, 1_000, 2_000]],
    [3, [0, 0, 0, 900, 900, 900], [0, 334, 667, 1_000, 1_334, 1_667]],
  ])(
    'is given %d in any second, not only in those of the clock: texts that come near the end of one wait in their run',
    async (rate, arrivals, expected) => {
      const account = await accountWith(rate);
      const bench = newBench(world);
      const startedMs = bench.time.nowMs;
      const times: number[] = [];
      for (const atMs of arrivals) {
        bench.time.nowMs = startedMs + atMs;
        await bench.give(await acceptedText(world, account));
        times.push(atMs + (bench.slept.pop() ?? 0));
      }
      expect(times).toEqual(expected);
      expect(bench.texts.sms.take()).toEqual([]);
      expect(bench.sent).toHaveLength(arrivals.length);
    },
  );

  it('is given no more in any second whenever texts come, and however late or early their jobs come back', async () => {
    const arrivals = fc.array(fc.integer({ min: 1_000_000, max: 1_005_000 }), { minLength: 1, maxLength: 40 });
    const lateness = fc.infiniteStream(fc.integer({ min: -50, max: 200 }));
    const check = async (perSecond: number, atMs: readonly number[], late: Iterator<number>) => {
      const { times, comings } = await turnsOf(perSecond, atMs, late);
      expect(times).toHaveLength(atMs.length);
      expect(mostPerSecond(times)).toBeLessThanOrEqual(perSecond);
      // A job that comes too early comes once more.
      expect(Math.max(...comings)).toBeLessThanOrEqual(3);
    };
    const property = fc.asyncProperty(fc.integer({ min: 1, max: 20 }), arrivals, lateness, check);
    await fc.assert(property, { numRuns: modelRuns(200) });
  });

  it('does not delay the writing of an earlier answer of its provider until the text has a turn', async () => {
    const account = await accountWith(1);
    const [first, second] = [await acceptedText(world, account), await acceptedText(world, account)];
    let isFaulty = true;
    const bench = newBench(world, {
      tableFault: (call) => (isFaulty && (call === 'move' || call === 'fail') ? 'before' : 'none'),
      answer: ({ messageId }) => (messageId === first.message ? accepted : refused),
    });
    await bench.give(first);
    await bench.give(second);
    const known = bench.texts.sms.take().map(({ job }) => job);
    expect(known.map(({ acceptedMs, unusedClaim }) => [typeof acceptedMs, typeof unusedClaim])).toEqual([
      ['number', 'undefined'],
      ['undefined', 'string'],
    ]);
    isFaulty = false;
    await world.textTurns.take(account.ref.id, 'sms', { segments: 7_200, perSecond: 1 }, bench.time.nowMs);
    bench.wait(1);
    await bench.give(...known);
    const seen = ({ message }: TextJob) => world.messages.find(account.ref, message, 'sms');
    expect(await seen(first)).toMatchObject({ status: 'sent', failureCode: null });
    expect(await seen(second)).toMatchObject({ status: 'sending', isUncertain: false });
    expect(bench.texts.sms.take().map(({ job }) => job.message)).toEqual([second.message]);
    expect(await world.textTurns.freeAt(account.ref.id, 'sms', 1)).toBe(bench.time.nowMs - 1_000 + 7_203_000);
  });

  it('is given so many segments a second, and a long sms has several', async () => {
    const account = await accountWith(2);
    const bench = newBench(world);
    const price = { credits: 4 };
    const jobs = await Promise.all([1, 2, 3].map(async () => ({ ...(await acceptedText(world, account)), price })));
    await bench.give(...jobs);
    expect(bench.texts.sms.take().map(({ job, delaySeconds }) => [job.price, delaySeconds])).toEqual([
      [price, 1],
      [price, 3],
    ]);
  });

  it('gets no burst of the texts whose jobs came long after their turns', async () => {
    const account = await accountWith(1);
    const bench = newBench(world);
    const jobs = await Promise.all([1, 2, 3, 4, 5].map(() => acceptedText(world, account)));
    await bench.give(...jobs);
    const late = bench.texts.sms.take().map(({ job }) => job);
    expect(late).toHaveLength(3);
    bench.time.nowMs += 60_000;
    await bench.give(...late);
    expect(bench.sent).toHaveLength(4);
    expect(bench.slept).toEqual([1_000, 1_000]);
  });

  it('gives no turns to the spare jobs of a round while it is busy, so that new texts do not wait behind texts that were sent', async () => {
    const account = await accountWith(1);
    const bench = newBench(world);
    const jobs = await Promise.all(Array.from({ length: 70 }, () => acceptedText(world, account)));
    const spares = jobs.map((job) => ({ ...job, isSpare: true }));
    const inLines = async (given: readonly TextJob[]) => {
      for (let start = 0; start < given.length; start += 10) await bench.give(...given.slice(start, start + 10));
      return bench.texts.sms.take();
    };
    expect(await inLines(jobs)).toHaveLength(68);
    expect(await inLines(spares)).toEqual([]);
    const old = await inLines(spares.slice(0, 10).map((job) => ({ ...job, isOld: true })));
    expect(old.map(({ job, delaySeconds }) => [job.isOld, job.turnMs, delaySeconds])).toEqual(
      Array(10).fill([true, undefined, 69]),
    );
    const [waiting] = await inLines([await acceptedText(world, account)]);
    expect(waiting?.delaySeconds).toBe(69);
    bench.time.nowMs += 200_000;
    expect(await inLines(spares.slice(-1))).toEqual([]);
    const sent = bench.sent.map(({ messageId }) => messageId);
    expect(sent.toSorted()).toEqual([0, 1, 69].map((n) => jobs[n]?.message).toSorted());
  });

  it('queues nothing where no turn can be taken: the jobs come back themselves', async () => {
    const account = await accountWith(1);
    const bench = newBench(world);
    const jobs = await Promise.all(Array.from({ length: 70 }, () => acceptedText(world, account)));
    for (let start = 0; start < jobs.length; start += 10) await bench.give(...jobs.slice(start, start + 10));
    const take = () => Promise.reject(new Error('the table is not reached'));
    const failing = newBench({ ...world, textTurns: { ...world.textTurns, take } });
    const old = { ...jobs[69], isSpare: true, isOld: true };
    expect(await failing.give(old, await acceptedText(world, account))).toBe(2);
    expect(failing.texts.sms.take()).toEqual([]);
  });

  it('gives no turns to texts that expire before, which end when they have expired', async () => {
    const account = await accountWith(1);
    const bench = newBench(world);
    const expiresMs = bench.time.nowMs + 60_000;
    const acceptExpiring = async () => ({ ...(await acceptedText(world, account, { expiresMs })), expiresMs });
    const jobs = await Promise.all(Array.from({ length: 65 }, acceptExpiring));
    const inLines = async (given: readonly TextJob[]) => {
      for (let start = 0; start < given.length; start += 5) await bench.give(...given.slice(start, start + 5));
      return bench.texts.sms.take();
    };
    const waiting = await inLines(jobs);
    expect(waiting.slice(-5).map(({ delaySeconds }) => delaySeconds)).toEqual([61, 61, 61, 61, 61]);
    const [next] = await inLines([await acceptedText(world, account)]);
    expect(next?.delaySeconds).toBe(59);

    bench.time.nowMs += 61_000;
    expect(await inLines(waiting.slice(-5).map(({ job }) => job))).toEqual([]);
    expect(bench.sent).toHaveLength(2);
    for (const { message } of jobs.slice(60))
      expect(await world.messages.find(account.ref, message, 'sms')).toMatchObject({ failureCode: 'expired' });
  });

  it('ends texts at once, without a turn, that have expired before they asked for one', async () => {
    const account = await accountWith(1);
    const bench = newBench(world);
    const expiresMs = bench.time.nowMs;
    const jobs = await Promise.all([1, 2, 3, 4].map(() => acceptedText(world, account, { expiresMs })));
    bench.time.nowMs += 5_000;
    await bench.give(...jobs.map((job) => ({ ...job, expiresMs })), await acceptedText(world, account));
    expect(bench.texts.sms.take()).toEqual([]);
    expect(bench.sent).toHaveLength(1);
  });

  it.each([
    [1, 10, 'more'],
    [10, 1, 'fewer'],
  ])('that took %d takes %d, %s, from the change on, of what waits already too', async (before, after) => {
    const account = await accountWith(before);
    const bench = newBench(world);
    const jobs = await Promise.all(Array.from({ length: 40 }, () => acceptedText(world, account)));
    const inLines = async (given: readonly TextJob[]) => {
      for (let start = 0; start < given.length; start += 10) await bench.give(...given.slice(start, start + 10));
      return bench.texts.sms.take();
    };
    const waiting = await inLines(jobs);
    const kept = await world.accounts.find(account.ref.id);
    if (kept) await world.accounts.save(kept, { ...kept, ...rateOf('sms', after) }, Date.now());
    const fresh = await acceptedText(world, account);
    expect(await inLines([fresh])).toEqual([]);
    const again = await inLines(waiting.map(({ job }) => job));
    const delays = again.map(({ delaySeconds }) => delaySeconds);
    expect(delays.filter((seconds) => seconds === 2)).toHaveLength(after);
    expect(Math.max(...delays)).toBe(Math.floor(waiting.length / after - 0.2));
  });

  it('counts the delay until a turn as waiting for a text that it has refused for now, and for no other', async () => {
    const account = await accountWith(1);
    const bench = newBench(world);
    const [first, second] = [await acceptedText(world, account), await acceptedText(world, account)];
    const turnMs = bench.time.nowMs + 2_000_000;
    await bench.give({ ...first, turnMs }, { ...second, turnMs, waitedMs: 1_000 });
    expect(bench.texts.sms.take().map(({ job }) => job.waitedMs)).toEqual([undefined, 901_000]);
  });

  it('is given a text in its first turn, also where that is further off than the longest delay of a queue', async () => {
    const account = await accountWith(1);
    const bench = newBench(world);
    const job = { ...(await acceptedText(world, account)), turnMs: bench.time.nowMs + 2_000_000 };
    await bench.give(job);
    expect(bench.texts.sms.take()).toEqual([{ job: { ...job, turnsPerSecond: 1 }, delaySeconds: 900 }]);
    bench.time.nowMs += 2_000_000;
    await bench.give(job);
    expect(bench.sent).toHaveLength(1);
  });
});

describe('a text whose recipient has written STOP since it was accepted', () => {
  const writeStop = async (account: TestAccount, { message, channel }: TextJob) => {
    const from = (await world.messages.find(account.ref, message))?.to ?? '';
    const inbound = { channel, from, text: 'STOP', atMs: Date.now(), id: message };
    await world.inboundReceiver.receive(account.ref, inbound);
  };
  const creditsOf = async ({ ref }: TestAccount) => (await world.accounts.credits(ref.id))?.smsMasked;

  it.each([
    ['sms', 'The contact has unsubscribed. A new consent to sms lifts this.'],
    ['whatsapp', 'The contact has unsubscribed. A new consent to whatsapp lifts this.'],
  ] as const)(
    'and that waited for its turn by %s ends blocked, with its credit back',
    async (channel, failureReason) => {
      const account = await world.newAccount({ credits: { smsMasked: 10 }, settings: rateOf(channel, 1) });
      const bench = newBench(world);
      const jobs = await Promise.all([1, 2, 3, 4].map(() => acceptedText(world, account, { channel })));
      await bench.give(...jobs);
      const [third, fourth] = bench.texts[channel].take().map(({ job }) => job);
      if (!third || !fourth) throw new Error('no text waits');
      await writeStop(account, third);
      bench.wait(2);
      await bench.give(third);
      bench.wait(1);
      await bench.give(fourth);
      const sent = [jobs[0], jobs[1], fourth].map((job) => job?.message);
      expect(bench.sent.map(({ messageId }) => messageId).toSorted()).toEqual(sent.toSorted());
      const ended = { status: 'failed', failureCode: 'send_blocked', failureReason, sentAt: null };
      expect(await world.messages.find(account.ref, third.message, channel)).toMatchObject(ended);
      expect(await creditsOf(account)).toBe(channel === 'sms' ? 7 : 10);
    },
  );

  it('and that waited for another attempt ends blocked, unless an earlier attempt may have been accepted', async () => {
    const account = await world.newAccount({ credits: { smsMasked: 10 } });
    const [lost, refused] = [await acceptedText(world, account), await acceptedText(world, account)];
    const answer = ({ messageId }: Text) => (messageId === lost.message ? unknown : unavailable);
    const bench = newBench(world, { takesReference: true, answer });
    await bench.give(lost, refused);
    const again = bench.texts.sms.take().map(({ job }) => job);
    for (const job of again) await writeStop(account, job);
    bench.wait(2);
    await bench.give(...again);
    expect(bench.sent).toHaveLength(2);
    expect(bench.interruptedSends.take().map(({ job }) => job.message)).toEqual([lost.message]);
    expect(await world.messages.find(account.ref, lost.message)).toMatchObject({ status: 'sending' });
    expect(await world.messages.find(account.ref, refused.message)).toMatchObject({ failureCode: 'send_blocked' });
    expect(await creditsOf(account)).toBe(9);
  });

  it('is neither sent nor taken for sent when its recipient cannot be read', async () => {
    const account = await world.newAccount({ credits: { smsMasked: 10 } });
    const job = await acceptedText(world, account);
    let isFaulty = true;
    const bench = newBench(world, { tableFault: (call) => (call === 'read' && isFaulty ? 'before' : 'none') });
    await writeStop(account, job);
    bench.wait(60);
    await bench.give(job);
    isFaulty = false;
    await bench.give(...bench.texts.sms.take().map((entry) => entry.job));
    expect(bench.sent).toEqual([]);
    expect(await world.messages.find(account.ref, job.message)).toMatchObject({ failureCode: 'send_blocked' });
    expect(await creditsOf(account)).toBe(10);
  });
});

describe('what a text costs', () => {
  it('is one call for the claim and one for the end, beside one for the account of the batch', async () => {
    const account = await accountWith(null);
    const jobs = await Promise.all(Array.from({ length: 10 }, () => acceptedText(world, account)));
    const bench = newBench(world);
    const { calls, units } = await countConsumption(world.calls).of(() => bench.give(...jobs));
    expect(calls).toBe(21);
    expect(units).toBeLessThanOrEqual(1 + 10 * 6);
    expect(bench.sent).toHaveLength(10);
  });

  it('is one call more for a batch where the sender is limited', async () => {
    const account = await accountWith(1_000);
    const jobs = await Promise.all([1, 2, 3].map(() => acceptedText(world, account)));
    const bench = newBench(world);
    await bench.give(await acceptedText(world, account));
    const { calls } = await countConsumption(world.calls).of(() => bench.give(...jobs));
    expect(calls).toBeLessThanOrEqual(1 + 2 + 3 * 2);
  });
});
