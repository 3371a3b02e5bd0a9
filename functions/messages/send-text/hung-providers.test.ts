import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TextJob } from '../../../shared/messages/jobs.ts';
import { timelineOf } from '../../../shared/messages/timeline.ts';
import type { TextOutcome } from '../../../shared/providers/text/text-provider.ts';
import { acceptedText } from '../../../test/accepted-message.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { accepted, newBench, unavailable, unknown } from './send-text-fixture.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

/** A worker, and an account whose gateway hangs for ten seconds before it fails so. */
const openHanging = async (failure: TextOutcome) => {
  const account = await world.newAccount({ credits: { smsMasked: 100 } });
  const state = { hangs: true };
  const bench = newBench(world, {
    answer: ({ accountId }) => {
      if (!state.hangs || accountId !== account.ref.id) return accepted;
      bench.wait(10);
      return failure;
    },
  });
  const texts = (count: number, of: TestAccount = account): Promise<TextJob[]> =>
    Promise.all(Array.from({ length: count }, () => acceptedText(world, of)));
  const callsFor = async (...jobs: readonly TextJob[]): Promise<number> => {
    const before = bench.sent.length;
    await bench.give(...jobs);
    return bench.sent.length - before;
  };
  for (const job of await texts(5)) expect(await callsFor(job)).toBe(1);
  bench.texts.sms.take();
  return { account, bench, state, texts, callsFor };
};

describe.each([
  ['does not answer', unknown],
  ['cannot be connected to', unavailable],
])('a gateway that %s in time, five times in a row,', (_, failure) => {
  it('is not called for a minute, while the texts of other accounts are sent', async () => {
    const { bench, texts, callsFor } = await openHanging(failure);
    const other = await world.newAccount({ credits: { smsMasked: 1 } });
    const waiting = await texts(3);
    expect(await callsFor(...waiting, ...(await texts(1, other)))).toBe(1);
    const again = bench.texts.sms.take();
    expect(again.map(({ job }) => job.message).toSorted()).toEqual(waiting.map(({ message }) => message).toSorted());
    for (const { delaySeconds } of again) expect(delaySeconds).toBe(60);
  });

  it('is then tried with one text, and called for all again once it answers', async () => {
    const { bench, state, texts, callsFor } = await openHanging(failure);
    bench.wait(60);
    expect(await callsFor(...(await texts(3)))).toBe(1);
    expect(await callsFor(...(await texts(3)))).toBe(0);
    bench.wait(60);
    state.hangs = false;
    expect(await callsFor(...(await texts(1)))).toBe(1);
    expect(await callsFor(...(await texts(3)))).toBe(3);
  });

  it('has its texts wait without an attempt, and ends them with their credits back after a day', async () => {
    const { account, bench, texts, callsFor } = await openHanging(failure);
    // How long it has been due does not matter.
    const due = await acceptedText(world, account, { atMs: bench.time.nowMs - 2 * 86_400_000 });
    const [late, ...others] = await texts(2);
    if (!late) throw new Error('no text');
    expect(await callsFor(due, { ...late, waitedMs: 86_400_000 }, ...others)).toBe(0);
    const waiting = bench.texts.sms.take();
    const messages = waiting.map(({ job }) => job.message);
    expect(messages.toSorted()).toEqual([due, ...others].map(({ message }) => message).toSorted());
    expect(waiting.every(({ job }) => job.waitedMs === 60_000)).toBe(true);
    const ended = { status: 'failed', failureCode: 'provider_unavailable', price: { credits: 0 } };
    expect(await world.messages.find(account.ref, late.message)).toMatchObject(ended);
    for (const { job } of waiting) {
      const { steps, reference, ...message } = (await world.messages.find(account.ref, job.message)) ?? expect.fail();
      expect(timelineOf({ message, steps, reference }, []).map(({ type }) => type)).not.toContain('attempt');
    }
  });
});

it('a text that its provider certainly did not take is sent when its gateway answers again', async () => {
  const { account, bench, state, texts } = await openHanging(unavailable);
  const [text] = await texts(1);
  if (!text) throw new Error('no text');
  const token = randomUUID();
  const nowMs = bench.time.nowMs;
  await world.textSends.pickUp(account.ref, text, { token, isRepeatable: false, nowMs });
  await bench.give({ ...text, unusedClaim: token, tableFailures: 1 });
  state.hangs = false;
  bench.wait(60);
  const calls = bench.sent.length;
  await bench.give(...bench.texts.sms.take().map(({ job }) => job));
  expect(bench.sent).toHaveLength(calls + 1);
  expect(await world.messages.find(account.ref, text.message)).toMatchObject({ status: 'sent', failureCode: null });
});

it('a gateway that hangs is tried with a text that is still to be sent, not with one that was sent already', async () => {
  const { bench, state, texts, callsFor } = await openHanging(unknown);
  state.hangs = false;
  const [sent, ...others] = await texts(3);
  if (!sent) throw new Error('no text');
  bench.wait(60);
  expect(await callsFor(sent)).toBe(1);
  state.hangs = true;
  for (const job of await texts(5)) await callsFor(job);
  bench.wait(60);
  state.hangs = false;
  expect(await callsFor(sent, ...others)).toBeGreaterThan(0);
});

it('a gateway that hangs now and then is called for every text', async () => {
  const account = await world.newAccount({ credits: { smsMasked: 100 } });
  const bench = newBench(world, {
    answer: (_text, call) => {
      if (call % 3 === 0) return accepted;
      bench.wait(10);
      return unknown;
    },
  });
  for (let count = 0; count < 20; count += 1) await bench.give(await acceptedText(world, account));
  expect(bench.sent).toHaveLength(20);
});
