import type { SQSEvent } from 'aws-lambda';
import type { InterruptedJob, TextJob } from '../../../shared/messages/jobs.ts';
import { textJob } from '../../../shared/messages/jobs.ts';
import type { TextChannel } from '../../../shared/messages/message.ts';
import type { Text, TextOutcome } from '../../../shared/providers/text/text-provider.ts';
import { groupWorker } from '../../../shared/work/queue-worker.ts';
import { contextWith } from '../../../test/lambda-context.ts';
import type { World } from '../../../test/world.ts';
import { groupOf, sendText } from './handler.ts';

/** A queue that keeps what was put on it, with the delays. */
const noted = <Job>() => {
  const entries: { readonly job: Job; readonly delaySeconds: number }[] = [];
  return {
    entries,
    send: async (
      jobs: readonly Job[],
      { delaySeconds = 0 }: { readonly delaySeconds?: number } = {},
    ): Promise<void> => {
      entries.push(...jobs.map((job) => ({ job, delaySeconds })));
    },
    take: () => entries.splice(0),
  };
};

export const accepted: TextOutcome = { kind: 'accepted', reference: undefined };
export const unavailable: TextOutcome = { kind: 'unavailable' };
export const throttled: TextOutcome = { kind: 'throttled' };
export const unknown: TextOutcome = { kind: 'unknown' };
export const refused: TextOutcome = { kind: 'refused', code: 'blocked', reason: 'The number is blocked.' };

export type TableWrite = 'pickUp' | 'releaseClaim' | 'fail' | 'move' | 'read';

interface Wishes {
  readonly takesReference?: boolean;
  /** What the provider answers to each call. */
  readonly answer?: (text: Text, call: number) => TextOutcome | Promise<TextOutcome>;
  readonly hasProvider?: boolean;
  /** Whether a write, or the read of a recipient, fails in the table, or is made and its answer lost. */
  readonly tableFault?: (write: TableWrite) => 'none' | 'before' | 'after';
  /** How long it waits for a report of a text that its provider may have accepted. */
  readonly giveUpSeconds?: number;
  /** The speed of the worker's clock. */
  readonly speed?: number;
}

/** The worker of texts with a provider that answers as wished, queues that can be looked into, and a clock that can be turned. */
export const newBench = (
  world: World,
  {
    takesReference = false,
    answer = () => accepted,
    hasProvider = true,
    giveUpSeconds = 900,
    speed = 0,
    tableFault = () => 'none',
  }: Wishes = {},
) => {
  const faulty =
    <Arguments extends unknown[], Result>(write: TableWrite, call: (...given: Arguments) => Promise<Result>) =>
    async (...given: Arguments): Promise<Result> => {
      const fault = tableFault(write);
      if (fault === 'before') throw new Error('the table is not reached');
      const result = await call(...given);
      if (fault === 'after') throw new Error('the answer was lost');
      return result;
    };
  const sent: Text[] = [];
  const slept: number[] = [];
  const provider = {
    takesReference,
    send: async (text: Text): Promise<TextOutcome> => {
      sent.push(text);
      return answer(text, sent.length);
    },
  };
  const providerOf = () => (hasProvider ? provider : undefined);
  const texts: Record<TextChannel, ReturnType<typeof noted<TextJob>>> = { sms: noted(), whatsapp: noted() };
  const interruptedSends = noted<InterruptedJob>();
  const startedMs = Date.now();
  const time = { nowMs: startedMs };
  const handler = groupWorker(
    textJob,
    groupOf,
    sendText({
      ...world,
      messages: { ...world.messages, move: faulty('move', world.messages.move) },
      sends: { read: faulty('read', world.sends.read) },
      textSends: {
        ...world.textSends,
        pickUp: faulty('pickUp', world.textSends.pickUp),
        releaseClaim: faulty('releaseClaim', world.textSends.releaseClaim),
        fail: faulty('fail', world.textSends.fail),
      },
      providers: { sms: providerOf, whatsapp: providerOf },
      textQueues: texts,
      interruptedSendsQueue: interruptedSends,
      giveUpSeconds,
      random: () => 0,
      clock: () => time.nowMs + (Date.now() - startedMs) * speed,
      sleep: async (ms) => void slept.push(ms),
    }),
  );
  const worker = (event: SQSEvent) => handler(event, contextWith());
  return {
    sent,
    /** How long its runs have waited for the turns of texts. */
    slept,
    texts,
    interruptedSends,
    time,
    worker,
    wait: (seconds: number): void => {
      time.nowMs += seconds * 1_000;
    },
    /** Gives jobs to the worker as SQS would, and says how many failed. */
    give: async (...jobs: readonly unknown[]): Promise<number> => {
      const Records = jobs.map((job, n) => ({ messageId: String(n), body: JSON.stringify(job) }));
      return (await worker({ Records } as unknown as SQSEvent)).batchItemFailures.length;
    },
  };
};
