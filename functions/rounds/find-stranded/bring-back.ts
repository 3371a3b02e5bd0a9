import type { MessagePlace, OpenPlace, Place } from '../../../shared/accounts/stranded.ts';
import type { Queue } from '../../../shared/aws/queue.ts';
import type { PaymentJob } from '../../../shared/checkout/jobs.ts';
import { isSimulated } from '../../../shared/checkout/simulation.ts';
import { log } from '../../../shared/kit/log.ts';
import type { MessageJob, TextJob } from '../../../shared/messages/jobs.ts';
import type { TextChannel } from '../../../shared/messages/message.ts';
import type { OpenRow, Stranded } from '../../../shared/table/stranded-storage.ts';

export interface BringBackNeeds {
  readonly stranded: Stranded;
  readonly interruptedSends: Queue<MessageJob>;
  readonly texts: Readonly<Record<TextChannel, Queue<TextJob>>>;
  readonly payments: Queue<PaymentJob>;
}

interface Position {
  readonly after: string;
  readonly roundMs: number;
}

/** Queues again, for their worker, what is overdue on one page of a place. Gives where the next page begins, if there may be one. */
export const bringBack = ({ stranded, interruptedSends, texts, payments }: BringBackNeeds) => {
  const messages = async (place: MessagePlace, position: Position) => {
    const { account, channel } = place;
    const { overdue, next } = await stranded.messages(place, position);
    const jobs = overdue.map((message) => ({ account, message }));
    if (channel === 'email') await interruptedSends.send(jobs);
    else await texts[channel].send(jobs.map((job) => ({ ...job, channel })));
    return { found: jobs.length, next };
  };

  const open = async ({ entity, shard }: OpenPlace, position: Position) => {
    const { overdue, next } = await stranded.open({ entity, shard }, position);
    await payments.send(overdue.flatMap(jobsOf[entity]));
    return { found: overdue.length, next };
  };

  return async (place: Place, position: Position): Promise<string | undefined> => {
    const { found, next } = await ('entity' in place ? open(place, position) : messages(place, position));
    if (found > 0) log('warn', 'overdue work was queued again', { ...place, found });
    return next;
  };
};

/** A payment that its gateway has not opened may have lost that job; asking about it ends it when its session's time is up. */
const jobsOf: Readonly<Record<OpenPlace['entity'], (row: OpenRow) => PaymentJob[]>> = {
  payment: (row) => [
    { kind: 'resolve', session: row.session, payment: row.id, check: 0 },
    ...(row.isOpened || isSimulated(row)
      ? []
      : [{ kind: 'open', session: row.session, payment: row.id, attempt: 1 } as const]),
  ],
  refund: ({ session, id }) => [{ kind: 'refund', session, refund: id }],
};
