import { type QueueName, queueRow, queues } from '../../infra/queues.ts';
import { workers } from '../../infra/workers.ts';
import type { Lambda } from './lambda.ts';
import type { Machine } from './machine.ts';
import { randomIn } from './random.ts';

interface Job {
  readonly id: string;
  readonly queue: QueueName;
  readonly body: string;
  readonly sentMs: number;
  receives: number;
  firstReceivedMs: number | undefined;
  /** When it comes back, if the function that has it does not delete it. */
  returnsAtMs: number;
}

/** Six times the timeout of a function, as `infra/stacks/data.ts` has it. */
const visibilityMs = 150_000;
const duplicateChance = 0.05;
const lateChance = 0.02;
const longestDelayMs = 120_000;
const usualDelayMs = 800;
/** Of so many worlds one loses jobs that only an hourly round finds again, for as long as things go wrong. */
const worldsPerLosing = 13;
const losingQueues: readonly QueueName[] = ['sms', 'webhook-deliveries'];
const losingMs = 600_000;
const lossChance = 0.02;

const consumers = new Map(
  workers
    .flatMap(({ does, on }) => [on].flat().map((source) => ({ does, source })))
    .flatMap(({ does, source }) => ('queue' in source ? [[source.queue, { does, batchSize: source.batchSize }]] : [])),
);

export const isQueue = (name: string): name is QueueName => Object.hasOwn(queues, name);

/** SQS: jobs come in any order, some late, some twice. One that fails too often is moved on, or parked. */
export const openQueues = (machine: Machine, lambda: Lambda, seed: number) => {
  const { timeline } = machine;
  const received = new Map<string, Job>();
  const ready = new Map<QueueName, Job[]>();
  const parked: Job[] = [];
  const losesJobs = seed % worldsPerLosing === 7;
  const losingUntilMs = timeline.nowMs() + losingMs;
  let jobs = 0;
  let deliveries = 0;

  const add = (queue: QueueName, body: string, delayMs: number): void => {
    jobs += 1;
    const sent = { queue, body, sentMs: timeline.nowMs() };
    const job: Job = { ...sent, id: `job-${jobs}`, receives: 0, firstReceivedMs: undefined, returnsAtMs: 0 };
    if (isLost(queue, body)) return;
    const random = randomIn(seed, `${queue} ${jobs}`);
    const lateMs = random.below(random.isChance(lateChance) ? longestDelayMs : usualDelayMs);
    timeline.after(delayMs + lateMs, () => appear(job));
    if (random.isChance(duplicateChance)) {
      const copy = { ...job, id: `${job.id}-copy` };
      timeline.after(delayMs + random.below(longestDelayMs), () => appear(copy));
    }
  };

  /** The first attempt of a delivery is not: until it is made, its job is all there is of the delivery. Later jobs still say how it began. */
  const isLost = (queue: QueueName, body: string): boolean => {
    if (!losesJobs || !losingQueues.includes(queue) || timeline.nowMs() >= losingUntilMs) return false;
    const { begins, attempt } = JSON.parse(body);
    return (begins === undefined || attempt > 1) && randomIn(seed, `loss ${jobs}`).isChance(lossChance);
  };

  const appear = (job: Job): void => {
    const { tries, afterwards } = queueRow(job.queue);
    if (job.receives >= tries) {
      if (afterwards) add(afterwards, job.body, 0);
      else parked.push(job);
      return;
    }
    const waiting = ready.get(job.queue) ?? [];
    ready.set(job.queue, waiting);
    waiting.push(job);
    deliveries += 1;
    const random = randomIn(seed, `delivery ${deliveries}`);
    timeline.after(random.below(200), () => deliver(job.queue));
  };

  const deliver = (queue: QueueName): void => {
    const waiting = ready.get(queue) ?? [];
    if (waiting.length === 0) return;
    const consumer = consumers.get(queue);
    if (!consumer) throw new Error(`no function works on the queue ${queue}`);
    const random = randomIn(seed, `batch ${queue} ${waiting[0]?.id} ${timeline.nowMs()}`);
    const size = 1 + random.below(Math.min(consumer.batchSize, waiting.length));
    const batch = Array.from({ length: size }, () => waiting.splice(random.below(waiting.length), 1)).flat();
    for (const job of batch) {
      job.receives += 1;
      job.firstReceivedMs ??= timeline.nowMs();
      job.returnsAtMs = timeline.nowMs() + visibilityMs;
      received.set(job.id, job);
    }
    lambda.invoke(
      consumer.does,
      { Records: batch.map(recordOf) },
      (outcome) => {
        const failed = outcome !== 'killed' && 'answer' in outcome ? failuresIn(outcome.answer) : undefined;
        for (const job of batch) {
          received.delete(job.id);
          if (failed?.has(job.id) ?? true) timeline.at(job.returnsAtMs, () => appear(job));
        }
      },
      accountsOf(batch),
    );
    if (waiting.length > 0) timeline.after(random.below(200), () => deliver(queue));
  };

  return {
    add,
    parked,
    /** Whether jobs are lost in this world, to be found again by an hourly round. */
    losesJobs,

    /** Sets when a received job comes back. */
    hide: (id: string, ms: number): void => {
      const job = received.get(id);
      if (job) job.returnsAtMs = timeline.nowMs() + ms;
    },
  };
};

export type Queues = ReturnType<typeof openQueues>;

const recordOf = ({ id, queue, body, sentMs, receives, firstReceivedMs }: Job) => ({
  messageId: id,
  receiptHandle: id,
  body,
  attributes: {
    SentTimestamp: `${sentMs}`,
    ApproximateFirstReceiveTimestamp: `${firstReceivedMs}`,
    ApproximateReceiveCount: `${receives}`,
  },
  eventSourceARN: `arn:aws:sqs:us-east-1:1:${queue}`,
});

/** The accounts that jobs are about; undefined where one does not say it. */
const accountsOf = (batch: readonly Job[]): readonly string[] | undefined => {
  const accounts = batch.map(({ body }): unknown => JSON.parse(body).account);
  return accounts.every((account) => typeof account === 'string') ? accounts : undefined;
};

const failuresIn = (answer: unknown): ReadonlySet<string> => {
  const failures: unknown = Reflect.get(Object(answer), 'batchItemFailures');
  if (!Array.isArray(failures)) throw new Error('a worker says which jobs failed');
  return new Set(failures.map(({ itemIdentifier }) => String(itemIdentifier)));
};
