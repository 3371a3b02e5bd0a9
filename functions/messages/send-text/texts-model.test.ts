import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TextJob } from '../../../shared/messages/jobs.ts';
import { type Status, type TextChannel, textChannels } from '../../../shared/messages/message.ts';
import { statusesBefore } from '../../../shared/messages/moves.ts';
import type { TextOutcome } from '../../../shared/providers/text/text-provider.ts';
import type { StoredMessage } from '../../../shared/table/messages/message-items.ts';
import { acceptedText } from '../../../test/accepted-message.ts';
import { modelRuns } from '../../../test/model-runs.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { endSend } from '../end-interrupted-send/end-send-fixture.ts';
import { accepted, newBench, refused, throttled, unavailable, unknown } from './send-text-fixture.ts';

// Texts under any order of provider calls, crashes, repeated jobs, reports, inbound messages and waits.

/** The provider's behaviour. A worker that crashes has called it, and its answer is lost. */
const answers: Readonly<Record<string, TextOutcome | undefined>> = {
  accepts: accepted,
  refuses: refused,
  'is down': unavailable,
  'is over its rate': throttled,
  hangs: unavailable,
  'keeps silent': unknown,
  'the worker dies': undefined,
};
const tableFaults = ['none', 'none', 'before', 'after'] as const;
const reports = ['providerAccepted', 'deliveryConfirmed', 'read', 'deliveryFailed', 'contentRejected'] as const;

type Fault = (typeof tableFaults)[number];

interface ProviderCall {
  readonly kind: 'hand over';
  readonly nth: number;
  readonly answer: string;
  readonly times: number;
  readonly fault: Fault;
  readonly isSpare: boolean;
}

/** `nth`: whichever of the messages there are. */
type Action =
  | { readonly kind: 'accept'; readonly channel: TextChannel }
  | ProviderCall
  | { readonly kind: 'report'; readonly nth: number; readonly trigger: (typeof reports)[number] }
  | { readonly kind: 'inbound'; readonly nth: number; readonly text: string }
  | { readonly kind: 'end'; readonly nth: number; readonly by: 'interrupted' | 'unsent' }
  | { readonly kind: 'wait'; readonly seconds: number };

const nth = fc.nat({ max: 2 });
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('accept' as const), channel: fc.constantFrom(...textChannels) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('hand over' as const),
      nth,
      answer: fc.constantFrom(...Object.keys(answers)),
      times: fc.constantFrom(1, 1, 2, 5),
      isSpare: fc.constantFrom(false, false, true),
      fault: fc.constantFrom(...tableFaults),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('report' as const), nth, trigger: fc.constantFrom(...reports) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('inbound' as const), nth, text: fc.constantFrom('STOP', 'START', 'Hi') }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      nth,
      by: fc.constantFrom('interrupted' as const, 'unsent' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.constantFrom(1, 31, 900) }) },
);

const reported = { code: 'reported', reason: 'A report said so.' };
const initialCredits = 100;

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

/** The steps of one account, and the invariants after each. */
const play = async (takesReference: boolean, actions: readonly Action[]): Promise<void> => {
  const account: TestAccount = await world.newAccount({ credits: { smsMasked: initialCredits } });
  const jobs: TextJob[] = [];
  const statuses = new Map<string, Status>();
  const wasSent = new Set<string>();
  /** Calls that the provider may have sent something for. */
  const mayHaveSent: string[] = [];
  let answer = 'accepts';
  let fault: Fault = 'none';
  const bench = newBench(world, {
    takesReference,
    tableFault: () => fault,
    answer: ({ messageId }) => {
      const outcome = answers[answer];
      if (answer === 'hangs') bench.wait(10);
      if (outcome === undefined || outcome === accepted || outcome === unknown) mayHaveSent.push(messageId);
      if (!outcome) throw new Error('the worker died');
      return outcome;
    },
  });

  const runWorker = async (job: TextJob, one: ProviderCall): Promise<void> => {
    ({ answer, fault } = one);
    // The next job carries results that a run could not write.
    const [known] = bench.texts[job.channel].take().filter(({ job: again }) => again.message === job.message);
    await Promise.all(
      Array.from({ length: one.times }, () =>
        bench.give({ ...job, ...(one.isSpare ? { isSpare: true } : known?.job) }),
      ),
    );
  };

  /** Only submitted texts have reports. */
  const report = async ({ message }: TextJob, trigger: (typeof reports)[number]): Promise<void> => {
    if (!bench.sent.some(({ messageId }) => messageId === message)) return;
    const isFailure = trigger === 'deliveryFailed' || trigger === 'contentRejected';
    const outcome = { trigger, ...(isFailure && { failure: reported }) };
    await world.outcomeRecorder.record(account.ref, message, outcome, bench.time.nowMs);
  };

  const receive = async ({ message, channel }: TextJob, text: string): Promise<void> => {
    const from = (await world.messages.find(account.ref, message))?.to ?? '';
    const { nowMs: atMs } = bench.time;
    await world.inboundReceiver.receive(account.ref, { channel, from, text, atMs, id: `${atMs}${text}` });
  };

  /** While a worker is at work on it, the job fails and comes again. */
  const end = async (job: TextJob, by: 'interrupted' | 'unsent'): Promise<void> => {
    const { kind, ...ids } = job;
    await endSend(world)(by === 'unsent' ? job : ids, bench.time.nowMs).catch(() => {});
  };

  const act = async (one: Action): Promise<unknown> => {
    if (one.kind === 'wait') return bench.wait(one.seconds);
    if (one.kind === 'accept') return jobs.length < 3 && jobs.push(await acceptedText(world, account, one));
    const job = jobs[one.nth % jobs.length];
    if (!job) return;
    if (one.kind === 'hand over') return runWorker(job, one);
    if (one.kind === 'report') return report(job, one.trigger);
    return one.kind === 'inbound' ? receive(job, one.text) : end(job, one.by);
  };

  const checkMessage = (message: StoredMessage): void => {
    const before = statuses.get(message.id) ?? 'queued';
    expect(before === message.status || statusesBefore(message.channel, message.status).has(before)).toBe(true);
    statuses.set(message.id, message.status);
    if (message.sentAt !== null) wasSent.add(message.id);
    if (isGivenBack(message)) expect([...wasSent, ...mayHaveSent]).not.toContain(message.id);
    if (message.status === 'queued') expect(mayHaveSent).not.toContain(message.id);
  };

  const check = async (): Promise<void> => {
    const found = await Promise.all(jobs.map(({ message }) => world.messages.find(account.ref, message)));
    const messages = found.filter((message) => message !== undefined);
    expect(messages).toHaveLength(jobs.length);
    messages.forEach(checkMessage);
    const kept = messages.filter((message) => message.channel === 'sms' && !isGivenBack(message));
    expect((await world.accounts.credits(account.ref.id))?.smsMasked).toBe(initialCredits - kept.length);
    if (!takesReference) expect(new Set(mayHaveSent).size).toBe(mayHaveSent.length);
  };

  for (const one of actions) {
    await act(one);
    await check();
  }
};

/** Texts that failed before a provider accepted them. Texts with a failure report were accepted. */
const isGivenBack = ({ status, failureCode }: StoredMessage): boolean =>
  status === 'failed' && failureCode !== reported.code;

it('texts move by the table of moves only, no provider without idempotency is called twice, and the ledger is correct', async () => {
  const start: Action[] = textChannels.map((channel) => ({ kind: 'accept', channel }));
  const sequence = fc.array(action, { minLength: 5, maxLength: 25 }).map((actions) => [...start, ...actions]);
  await fc.assert(fc.asyncProperty(fc.boolean(), sequence, play), { numRuns: modelRuns(6), endOnFailure: true });
});
