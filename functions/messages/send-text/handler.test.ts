import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { iso } from '../../../shared/kit/time.ts';
import type { TextJob } from '../../../shared/messages/jobs.ts';
import { textChannels } from '../../../shared/messages/message.ts';
import { timelineOf } from '../../../shared/messages/timeline.ts';
import type { TextOutcome } from '../../../shared/providers/text/text-provider.ts';
import { acceptedText } from '../../../test/accepted-message.ts';
import { linesOf } from '../../../test/log-lines.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { endSend } from '../end-interrupted-send/end-send-fixture.ts';
import { accepted, newBench, refused, type TableWrite, throttled, unavailable, unknown } from './send-text-fixture.ts';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount({ credits: { smsMasked: 10_000 } });
});
afterAll(() => world.close());

const seen = ({ message }: TextJob) => world.messages.find(account.ref, message);
const creditsLeft = async () => (await world.accounts.credits(account.ref.id))?.smsMasked ?? 0;
const itemOf = async ({ message }: TextJob) => (await world.scan()).find(({ SK }) => SK === message);

/** A provider with these answers in order; the last one repeats. */
const answering =
  (...outcomes: readonly TextOutcome[]) =>
  (_: unknown, call: number): TextOutcome =>
    outcomes[call - 1] ?? outcomes.at(-1) ?? accepted;

describe('a text that is accepted', () => {
  it.each(textChannels)('by %s is sent, once, with what it says', async (channel) => {
    const bench = newBench(world);
    const job = await acceptedText(world, account, { channel, text: 'Your code is 42' });
    expect(await bench.give(job)).toBe(0);
    expect(await bench.give(job, job)).toBe(0);
    const message = await seen(job);
    expect(message).toMatchObject({ status: 'sent', sentAt: expect.any(String), failureCode: null });
    expect(bench.sent).toEqual([
      {
        messageId: job.message,
        accountId: account.ref.id,
        to: message?.to,
        text: 'Your code is 42',
        reportUrl: await world.messageLinks.urlFor('sms-report', account.ref, job.message),
      },
    ]);
    expect(bench.texts[channel].entries).toEqual([]);
  });

  it('keeps its price, and its content is deleted', async () => {
    const before = await creditsLeft();
    const job = await acceptedText(world, account);
    await newBench(world).give(job);
    expect(await creditsLeft()).toBe(before - 1);
    const item = await itemOf(job);
    expect(
      Object.keys(item ?? {}).filter((name) =>
        ['content', 'claim', 'claimedUntil', 'earlierClaim', 'attempts'].includes(name),
      ),
    ).toEqual([]);
  });

  it('and whose report was quicker than the worker stays delivered', async () => {
    const job = await acceptedText(world, account);
    const bench = newBench(world, {
      answer: async () => {
        await world.outcomeRecorder.record(account.ref, job.message, { trigger: 'deliveryConfirmed' }, Date.now());
        return accepted;
      },
    });
    expect(await bench.give(job)).toBe(0);
    expect(await seen(job)).toMatchObject({ status: 'delivered' });
  });
});

describe('a text that is not accepted', () => {
  it('ends when it has expired, even if the provider asks for a longer wait', async () => {
    const bench = newBench(world, { answer: () => ({ kind: 'unavailable', waitSeconds: 600 }) });
    const job = await acceptedText(world, account, { expiresMs: bench.time.nowMs + 30_000 });
    await bench.give(job);
    const [again] = bench.texts.sms.take();
    expect(again?.delaySeconds).toBe(30);
    bench.wait(30);
    await bench.give(again?.job);
    expect(await seen(job)).toMatchObject({ status: 'failed', failureCode: 'expired' });
    expect(bench.sent).toHaveLength(1);
  });

  it('raises an alarm when its provider would accept no text of the account, and only then', async () => {
    const give = async (outcome: TextOutcome) => {
      const job = await acceptedText(world, account);
      const lines = await linesOf(() => newBench(world, { answer: () => outcome }).give(job));
      const ids = { accountId: account.ref.id, messageId: job.message, channel: 'sms', level: 'error' };
      return { ids, alarming: lines.filter(({ textsRefused }) => textsRefused === true) };
    };
    const { ids, alarming } = await give({ kind: 'refused', code: 'http_401', reason: 'No.', concernsSetup: true });
    expect(alarming).toMatchObject([{ ...ids, code: 'http_401' }]);
    expect((await give({ kind: 'unavailable', concernsSetup: true })).alarming).toHaveLength(1);
    const named = { kind: 'refused', code: '+8801712345678 is barred', reason: 'No.', concernsSetup: true } as const;
    expect(JSON.stringify((await give(named)).alarming)).toMatch(/^(?!.*88017).*"textsRefused":true/);
    for (const outcome of [refused, unavailable, unknown, accepted]) expect((await give(outcome)).alarming).toEqual([]);
  });

  it('ends failed with the provider’s words, and is given back, when it is refused', async () => {
    const before = await creditsLeft();
    const job = await acceptedText(world, account);
    const bench = newBench(world, { answer: () => refused });
    await bench.give(job);
    await bench.give(job);
    expect(await seen(job)).toMatchObject({
      status: 'failed',
      failureCode: 'blocked',
      failureReason: 'The number is blocked.',
      failedAt: expect.any(String),
      sentAt: null,
    });
    expect(await creditsLeft()).toBe(before);
    expect(bench.sent).toHaveLength(1);
  });

  it('ends as expired, is given back, and is never handed to its provider once its time has passed', async () => {
    const before = await creditsLeft();
    const bench = newBench(world);
    const expiresMs = bench.time.nowMs + 60_000;
    const [early, late] = [
      await acceptedText(world, account, { expiresMs }),
      await acceptedText(world, account, { expiresMs }),
    ];
    await bench.give(early);
    bench.wait(60);
    await bench.give(late);
    await bench.give(late);
    expect(bench.sent.map(({ messageId }) => messageId)).toEqual([early.message]);
    expect(await seen(early)).toMatchObject({ status: 'sent', failureCode: null });
    const ended = (await world.messages.find(account.ref, late.message)) ?? expect.fail();
    expect(ended).toMatchObject({ status: 'failed', failureCode: 'expired', sentAt: null });
    // No provider has answered.
    const { steps, reference, ...message } = ended;
    expect(timelineOf({ message, steps, reference }, []).map(({ type }) => type)).not.toContain('attempt');
    expect(await creditsLeft()).toBe(before - 1);
  });

  it('waits for a report instead of expiring when its provider may have taken it in time', async () => {
    const bench = newBench(world, { answer: () => unknown, takesReference: true });
    const job = await acceptedText(world, account, { expiresMs: bench.time.nowMs + 60_000 });
    await bench.give(job);
    bench.wait(60);
    await bench.give(job);
    expect(bench.sent).toHaveLength(1);
    expect(bench.interruptedSends.entries).toHaveLength(1);
    expect(await seen(job)).toMatchObject({ status: 'sending' });
  });

  it('ends failed when the account has no provider', async () => {
    const before = await creditsLeft();
    const job = await acceptedText(world, account);
    await newBench(world, { hasProvider: false }).give(job);
    expect(await seen(job)).toMatchObject({ status: 'failed', failureCode: 'no_provider' });
    expect(await creditsLeft()).toBe(before);
  });

  it('is retried after 1, 2, 4, 8, … seconds, and finally fails with its credits returned', async () => {
    const before = await creditsLeft();
    const bench = newBench(world, { answer: () => unavailable });
    const job = await acceptedText(world, account);
    const delays: number[] = [];
    let next: TextJob | undefined = job;
    while (next) {
      await bench.give(next);
      const [again] = bench.texts.sms.take();
      if (again) delays.push(again.delaySeconds);
      next = again?.job;
    }
    expect(delays).toEqual([1, 2, 4, 8, 16, 32, 64]);
    expect(bench.sent).toHaveLength(8);
    expect(await seen(job)).toMatchObject({ status: 'failed', failureCode: 'provider_unavailable' });
    expect(await creditsLeft()).toBe(before);
    expect(bench.interruptedSends.entries).toEqual([]);
  });

  /** Gives a job, and those that come back, at their times, until none does. Returns the delays. */
  const giveUntilOver = async (bench: ReturnType<typeof newBench>, job: TextJob): Promise<number[]> => {
    const delays: number[] = [];
    for (let next: TextJob | undefined = job; next; ) {
      await bench.give(next);
      const [again] = bench.texts.sms.take();
      if (again) delays.push(again.delaySeconds);
      bench.wait(again?.delaySeconds ?? 0);
      next = again?.job;
    }
    return delays;
  };

  it('raises an alarm, once, when its provider was unavailable at every attempt', async () => {
    const bench = newBench(world, { answer: () => unavailable });
    const job = await acceptedText(world, account);
    const lines = await linesOf(() => giveUntilOver(bench, job));
    expect(bench.sent).toHaveLength(8);
    expect(lines.filter(({ textsRefused }) => textsRefused === true)).toMatchObject([
      { level: 'error', accountId: account.ref.id, messageId: job.message, channel: 'sms' },
    ]);
  });

  it('waits while its sender is over its rate, and is sent however often that was', async () => {
    const busy = Array.from({ length: 20 }, () => throttled);
    const bench = newBench(world, { answer: answering(...busy, unavailable, unavailable, accepted) });
    const job = await acceptedText(world, account);
    const delays = await giveUntilOver(bench, job);
    expect(delays.slice(0, 20)).toEqual(delays.slice(0, 20).toSorted((a, b) => a - b));
    // Of the others, the first alone was an attempt.
    expect(delays.slice(20)).toEqual([2, 4]);
    const sent = (await world.messages.find(account.ref, job.message)) ?? expect.fail();
    expect(sent).toMatchObject({ status: 'sent' });
    const { steps, reference, ...message } = sent;
    const entries = timelineOf({ message, steps, reference }, []).filter(({ type }) => type === 'attempt');
    expect(entries.map(({ detail }) => detail.outcome)).toEqual([...Array(3).fill('unavailable'), 'accepted']);
  });

  it('whose sender is over its rate for a day, from whenever it began to wait, is given up with its credits returned', async () => {
    const before = await creditsLeft();
    const bench = newBench(world, { answer: () => ({ kind: 'throttled', waitSeconds: 900 }) });
    const job = await acceptedText(world, account, { atMs: bench.time.nowMs - 2 * 86_400_000 });
    expect(await giveUntilOver(bench, job)).toHaveLength(86_400 / 900 + 6);
    expect(await seen(job)).toMatchObject({ status: 'failed', failureCode: 'provider_unavailable' });
    expect(await creditsLeft()).toBe(before);
  });

  it('does not wait for its sender while all sending is paused, and may wait for a day afterwards', async () => {
    const bench = newBench(world, { answer: answering(...Array.from({ length: 20 }, () => throttled), accepted) });
    const job = await acceptedText(world, account);
    await bench.give(job);
    const [again] = bench.texts.sms.take();
    bench.wait(2 * 86_400);
    const lines = await linesOf(() => giveUntilOver(bench, again?.job ?? job));
    expect(await seen(job)).toMatchObject({ status: 'sent' });
    expect(lines.filter(({ textsRefused }) => textsRefused === true)).toEqual([]);
  });

  it('waits in one job, however many spare ones come, unless its first job may be gone from the queue', async () => {
    const bench = newBench(world, { answer: () => throttled });
    const job = await acceptedText(world, account);
    const spare = { ...job, isSpare: true };
    await bench.give(job, spare, spare);
    for (let round = 0; round < 3; round += 1) {
      const jobs = bench.texts.sms.take().map((entry) => entry.job);
      expect(jobs.filter(({ isSpare }) => !isSpare)).toHaveLength(1);
      bench.wait(120);
      await bench.give(...jobs);
    }
    // A spare job that finds the claim of another comes again until it has its own.
    for (const { job: each } of bench.texts.sms.take()) await bench.give(each);
    expect(bench.texts.sms.take()).toHaveLength(1);
    await bench.give({ ...spare, isOld: true });
    expect(bench.texts.sms.take()).toMatchObject([{ job: { isSpare: true, isOld: true } }]);
  });

  it('is not sent when its recipient says STOP while its sender is over its rate', async () => {
    const bench = newBench(world, { answer: answering(throttled, accepted) });
    const job = await acceptedText(world, account);
    await bench.give(job);
    const { to: from = '' } = (await seen(job)) ?? {};
    await world.inboundReceiver.receive(account.ref, {
      id: job.message,
      channel: 'sms',
      from: from ?? '',
      text: 'STOP',
      atMs: bench.time.nowMs,
    });
    await bench.give(...bench.texts.sms.take().map((entry) => entry.job));
    expect(bench.sent).toHaveLength(1);
    expect(await seen(job)).toMatchObject({ status: 'failed', failureCode: 'send_blocked' });
  });

  it('is tried again no sooner than the provider asks for, and sent when it has recovered', async () => {
    const bench = newBench(world, { answer: answering({ kind: 'unavailable', waitSeconds: 7.2 }, accepted) });
    const job = await acceptedText(world, account);
    await bench.give(job);
    expect(await seen(job)).toMatchObject({ status: 'sending', isUncertain: false });
    const [again] = bench.texts.sms.take();
    expect(again).toEqual({ job, delaySeconds: 8 });
    await bench.give(again?.job);
    expect(await seen(job)).toMatchObject({ status: 'sent' });
  });
});

describe('a text with an unknown outcome', () => {
  it.each([
    ['a lost answer', false, [unknown]],
    ['a refusal of its repetition', true, [unknown, refused]],
  ] as const)(
    'counts as sent, unconfirmed, when no report comes after %s, however short the wait is',
    async (_, takesReference, answers) => {
      const bench = newBench(world, { giveUpSeconds: 1, takesReference, answer: answering(...answers) });
      const job = await acceptedText(world, account);
      await bench.give(job);
      if (takesReference) await bench.give(...bench.texts.sms.take().map((again) => again.job));
      const [waiting] = bench.interruptedSends.take();
      if (!waiting) throw new Error('nothing waits for a report');
      await endSend(world)(waiting.job, bench.time.nowMs + waiting.delaySeconds * 1_000);
      const ended = { status: 'sent', sentAt: null, failureCode: 'send_unconfirmed' };
      expect(await world.messages.find(account.ref, job.message)).toMatchObject(ended);
    },
  );

  it.each([
    ['unavailable', unavailable],
    ['throttled', throttled],
  ])('is asked about again under the same id where the provider takes it, also after it was %s', async (_, then) => {
    const bench = newBench(world, { takesReference: true, answer: answering(unknown, then, accepted) });
    const job = await acceptedText(world, account);
    for (let n = 0; n < 3; n += 1) await bench.give(job);
    expect(new Set(bench.sent.map(({ messageId }) => messageId))).toEqual(new Set([job.message]));
    expect(bench.sent).toHaveLength(3);
    const { steps, reference, ...message } = (await seen(job)) ?? expect.fail();
    expect(message).toMatchObject({ status: 'sent' });
    const attempts = timelineOf({ message, steps, reference }, []).filter(({ type }) => type === 'attempt');
    expect(attempts.map(({ detail }) => detail.outcome)).toEqual(['unknown', 'unavailable', 'accepted']);
  });

  it('waits for a report, without another call, where the provider does not', async () => {
    const before = await creditsLeft();
    const bench = newBench(world, { answer: () => unknown });
    const job = await acceptedText(world, account);
    await bench.give(job);
    expect(bench.texts.sms.entries).toEqual([]);
    expect(bench.interruptedSends.take()).toEqual([
      { job: { account: job.account, message: job.message, channel: job.channel }, delaySeconds: 900 },
    ]);
    bench.time.nowMs += 60_000;
    await bench.give(job);
    expect(bench.sent).toHaveLength(1);
    expect(await seen(job)).toMatchObject({ status: 'sending', isUncertain: true });
    expect(await creditsLeft()).toBe(before - 1);
  });

  it.each([
    ['later attempts certainly failed', unavailable, 8],
    ['its repetition was refused', refused, 2],
  ])('is not given back because %s', async (_, later, attempts) => {
    const before = await creditsLeft();
    const bench = newBench(world, { takesReference: true, answer: answering(unknown, later) });
    const job = await acceptedText(world, account);
    for (let n = 0; n < attempts; n += 1) await bench.give(job);
    expect(await seen(job)).toMatchObject({ status: 'sending', isUncertain: true });
    expect(bench.interruptedSends.entries).toHaveLength(1);
    expect(await creditsLeft()).toBe(before - 1);
  });
});

describe('while the table fails', () => {
  const faults = ['before', 'after'] as const;

  /** One write of this kind fails, once. */
  const failing = (wanted: TableWrite, how: 'before' | 'after') => {
    let isOver = false;
    return (write: TableWrite) => {
      if (isOver || write !== wanted) return 'none';
      isOver = true;
      return how;
    };
  };
  /** Runs the worker with returned jobs until none returns. */
  const end = async (bench: ReturnType<typeof newBench>, job: TextJob) => {
    expect(await bench.give(job)).toBe(0);
    for (let [again] = bench.texts.sms.take(); again; [again] = bench.texts.sms.take()) {
      bench.wait(again.delaySeconds);
      expect(await bench.give(again.job)).toBe(0);
    }
  };

  it.each(faults)('(%s the write) a text that its provider took is sent, paid for, and not sent again', async (how) => {
    const before = await creditsLeft();
    const bench = newBench(world, { tableFault: failing('move', how) });
    const job = await acceptedText(world, account);
    const acceptedMs = bench.time.nowMs;
    await end(bench, job);
    expect(bench.sent).toHaveLength(1);
    expect(bench.interruptedSends.entries).toEqual([]);
    expect(await seen(job)).toMatchObject({ status: 'sent', sentAt: iso(acceptedMs), failureCode: null });
    expect(await creditsLeft()).toBe(before - 1);
  });

  it.each(faults)('(%s the write) a text that could not be claimed is sent, once', async (how) => {
    const bench = newBench(world, { tableFault: failing('pickUp', how) });
    const job = await acceptedText(world, account);
    await end(bench, job);
    expect(bench.sent).toHaveLength(1);
    expect(bench.interruptedSends.entries).toEqual([]);
    expect(await seen(job)).toMatchObject({ status: 'sent' });
  });

  it.each(faults.flatMap((how) => [true, false].map((takesReference) => ({ how, takesReference }))))(
    '($how the write) a text that was refused fails, and is given back once',
    async ({ how, takesReference }) => {
      const before = await creditsLeft();
      const bench = newBench(world, { takesReference, tableFault: failing('fail', how), answer: () => refused });
      const job = await acceptedText(world, account);
      await end(bench, job);
      expect(bench.interruptedSends.entries).toEqual([]);
      expect(await seen(job)).toMatchObject({ status: 'failed', failureCode: 'blocked' });
      expect(await creditsLeft()).toBe(before);
    },
  );

  it.each(faults)('(%s the write) a text that a busy provider did not take is offered again', async (how) => {
    const bench = newBench(world, {
      tableFault: failing('releaseClaim', how),
      answer: answering(unavailable, accepted),
    });
    const job = await acceptedText(world, account);
    await end(bench, job);
    expect(bench.sent).toHaveLength(2);
    expect(await seen(job)).toMatchObject({ status: 'sent' });
  });

  it('for good, a text that its provider took keeps its price', async () => {
    const before = await creditsLeft();
    const bench = newBench(world, { tableFault: (write) => (write === 'move' ? 'before' : 'none') });
    const job = await acceptedText(world, account);
    expect(await bench.give(job)).toBe(0);
    const [again] = bench.texts.sms.take();
    expect(await bench.give(again?.job)).toBe(1);
    await endSend(world)(again?.job ?? job, bench.time.nowMs + 60_000);
    expect(await seen(job)).toMatchObject({ status: 'sent', sentAt: iso(bench.time.nowMs) });
    expect(bench.sent).toHaveLength(1);
    expect(await creditsLeft()).toBe(before - 1);
  });

  it('for good, a text that was never offered fails after a while as a job', async () => {
    const bench = newBench(world, { tableFault: (write) => (write === 'pickUp' ? 'before' : 'none') });
    const job = await acceptedText(world, account);
    expect(await bench.give({ ...job, tableFailures: 12 })).toBe(1);
    expect([...bench.texts.sms.entries, ...bench.sent]).toEqual([]);
  });

  it('for good, a text that was never offered ends failed and is given back', async () => {
    const before = await creditsLeft();
    const bench = newBench(world, { tableFault: (write) => (write === 'pickUp' ? 'after' : 'none') });
    const job = await acceptedText(world, account);
    await bench.give(job);
    const [again] = bench.texts.sms.take();
    await endSend(world)(again?.job ?? job, bench.time.nowMs + 1_000);
    expect(await seen(job)).toMatchObject({ status: 'failed', failureCode: 'provider_unavailable' });
    expect(await creditsLeft()).toBe(before);
  });
});

describe('several runs at one text', () => {
  it('make one call, and the others look again when its claim has ended', async () => {
    const bench = newBench(world);
    const job = await acceptedText(world, account);
    await Promise.all([bench.give(job), bench.give(job), bench.give(job)]);
    expect(bench.sent).toHaveLength(1);
    for (const { delaySeconds } of bench.texts.sms.entries) expect(delaySeconds).toBeGreaterThanOrEqual(30);
    expect(await seen(job)).toMatchObject({ status: 'sent' });
  });

  it.each([
    [true, 1, 'sent'],
    [false, 0, 'sending'],
  ])(
    'of which the first died: a provider that takes our id (%s) is called %i times',
    async (takesReference, calls, status) => {
      const bench = newBench(world, { takesReference });
      const job = await acceptedText(world, account);
      await world.textSends.pickUp(account.ref, job, {
        token: randomUUID(),
        isRepeatable: true,
        nowMs: bench.time.nowMs,
      });
      await bench.give(job);
      expect([bench.sent.length, bench.texts.sms.take().length]).toEqual([0, 1]);
      bench.time.nowMs += 31_000;
      await bench.give(job);
      expect(bench.sent).toHaveLength(calls);
      expect(await seen(job)).toMatchObject({ status });
      expect(bench.interruptedSends.entries).toHaveLength(1 - calls);
    },
  );

  it('ignore the result of a run that lost its claim', async () => {
    const before = await creditsLeft();
    const answers = Promise.withResolvers<TextOutcome>();
    const called = Promise.withResolvers<void>();
    const slow = newBench(world, {
      takesReference: true,
      answer: () => {
        called.resolve();
        return answers.promise;
      },
    });
    const quick = newBench(world, { takesReference: true });
    const job = await acceptedText(world, account);
    const late = slow.give(job);
    await called.promise;
    quick.time.nowMs = slow.time.nowMs + 31_000;
    await quick.give(job);
    answers.resolve(refused);
    expect(await late).toBe(0);
    expect(await seen(job)).toMatchObject({ status: 'sent', failureCode: null });
    expect(await creditsLeft()).toBe(before - 1);
  });
});

describe('a batch', () => {
  it('fails only for the jobs that failed', async () => {
    const jobs = await Promise.all([1, 2, 3].map(() => acceptedText(world, account)));
    const bench = newBench(world, {
      answer: ({ messageId }) => {
        if (messageId === jobs[1]?.message) throw new Error('a bug');
        return accepted;
      },
    });
    const unreadable = { account: account.ref.id };
    const foreign = { account: '01932f6e-8c00-7000-8000-000000000000', message: jobs[0]?.message, channel: 'sms' };
    expect(await bench.give(...jobs, unreadable, foreign)).toBe(3);
    expect(await Promise.all(jobs.map(async (job) => (await seen(job))?.status))).toEqual(['sent', 'sending', 'sent']);
  });

  it('of two accounts and both channels sends each text for its own account', async () => {
    const other = await world.newAccount({ credits: { smsMasked: 10 } });
    const owners = [account, other, account, other];
    const jobs = await Promise.all(
      owners.map((owner, n) => acceptedText(world, owner, { channel: n < 2 ? 'sms' : 'whatsapp' })),
    );
    const bench = newBench(world);
    expect(await bench.give(...jobs)).toBe(0);
    expect(bench.sent.map(({ accountId, messageId }) => `${accountId} ${messageId}`).sort()).toEqual(
      jobs.map((job) => `${job.account} ${job.message}`).sort(),
    );
  });

  it('of an email’s id, or of another channel’s, sends nothing', async () => {
    const bench = newBench(world);
    const job = await acceptedText(world, account);
    expect(
      await bench.give({ ...job, channel: 'whatsapp' }, { ...job, message: '01932f6e-8c00-7000-8000-000000000000' }),
    ).toBe(0);
    expect(await seen(job)).toMatchObject({ status: 'queued' });
    await world.textSends.pickUp(account.ref, job, {
      token: randomUUID(),
      isRepeatable: false,
      nowMs: bench.time.nowMs,
    });
    expect(await bench.give({ ...job, channel: 'whatsapp' })).toBe(0);
    expect([...bench.sent, ...bench.texts.whatsapp.entries]).toEqual([]);
  });
});
