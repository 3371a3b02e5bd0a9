import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { Unavailable } from '../kit/fault.ts';
import { InternalError } from '../kit/internal-error.ts';
import { causeOf, log } from '../kit/log.ts';
import { retried } from './aws-retry.ts';
import type { AwsService } from './aws-service.ts';

const mostPerCall = 10;

const failure = z.object({ Id: z.string(), Code: z.string(), SenderFault: z.boolean().default(false) });
const answer = z.object({ Failed: z.array(failure).default([]) });

/** A job, and when it may begin. */
export interface Entry<Job> {
  readonly job: Job;
  readonly delaySeconds: number;
}

/** An entry that may not be queued. `isPassing`: the queue may take it later, as after an outage. */
export interface Left<Some> {
  readonly entry: Some;
  readonly isPassing: boolean;
}

/** Whose job it is: while one account's jobs are many or slow, SQS gives those of the others first (fair queues). */
export const accountOf = (job: unknown): string | undefined => {
  const account: unknown = Reflect.get(Object(job), 'account');
  return typeof account === 'string' ? account : undefined;
};

interface Refused<Some> {
  readonly refused: readonly Left<Some>[];
  readonly code: string | undefined;
}

/** A queue of jobs. When `send` returns, every job is queued; when it throws, some may be, so jobs must be idempotent. */
export const openQueue = <Job>(sqs: AwsService, url: string) => {
  /** Queues ten at most; returns those that the queue refused. */
  const sendSome = async <Some extends Entry<Job>>(some: readonly Some[]): Promise<Refused<Some>> => {
    const sent = new Map<string, Some>(some.map((entry) => [randomUUID(), entry]));
    const input = {
      QueueUrl: url,
      Entries: [...sent].map(([Id, { job, delaySeconds }]) => ({
        Id,
        MessageBody: JSON.stringify(job),
        DelaySeconds: delaySeconds,
        MessageGroupId: accountOf(job),
      })),
    };
    const { Failed } = answer.parse(await retried(() => sqs.send({ target: 'AmazonSQS.SendMessageBatch', input })));
    const refused = Failed.flatMap(({ Id, SenderFault }) => {
      const entry = sent.get(Id);
      return entry ? [{ entry, isPassing: !SenderFault }] : [];
    });
    return { refused, code: Failed[0]?.Code };
  };

  return {
    send: async (
      jobs: readonly Job[],
      { delaySeconds = 0 }: { readonly delaySeconds?: number } = {},
    ): Promise<void> => {
      for (const some of tens(jobs)) {
        const { refused, code } = await sendSome(some.map((job) => ({ job, delaySeconds })));
        if (refused.length > 0) throw new InternalError('the queue refused jobs', { jobs: refused.length, code });
      }
    },

    /** Queues what it can, in parallel, and returns the entries that it could not; of those, some may be queued. */
    sendEach: async <Some extends Entry<Job>>(entries: readonly Some[]): Promise<readonly Left<Some>[]> => {
      const sendOrLeave = async (some: readonly Some[]): Promise<readonly Left<Some>[]> => {
        try {
          const { refused, code } = await sendSome(some);
          if (refused.length > 0) log('error', 'the queue refused jobs', { jobs: refused.length, code });
          return refused;
        } catch (thrown) {
          log('error', 'jobs could not be queued', { jobs: some.length, ...causeOf(thrown) });
          return some.map((entry) => ({ entry, isPassing: thrown instanceof Unavailable }));
        }
      };
      return (await Promise.all(tens(entries).map(sendOrLeave))).flat();
    },
  };
};

const tens = <Each>(all: readonly Each[]): Each[][] =>
  Array.from({ length: Math.ceil(all.length / mostPerCall) }, (_, n) =>
    all.slice(n * mostPerCall, (n + 1) * mostPerCall),
  );

export interface Queue<Job> {
  send(jobs: readonly Job[], options?: { readonly delaySeconds?: number }): Promise<void>;
}
