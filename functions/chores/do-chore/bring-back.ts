import type { Queue } from '../../../shared/aws/queue.ts';
import type { DeliveryPartition, MessagePartition, OverduePartition } from '../../../shared/chores/stranded.ts';
import { log } from '../../../shared/kit/log.ts';
import { longestRunMs } from '../../../shared/kit/longest-run.ts';
import type { InterruptedJob, TextJob } from '../../../shared/messages/jobs.ts';
import type { TextChannel } from '../../../shared/messages/message.ts';
import type { OpenDelivery, StrandedStore } from '../../../shared/table/accounts/stranded-store.ts';
import type { DeliveryJob } from '../../../shared/webhooks/jobs.ts';

export interface BringBackNeeds {
  readonly stranded: StrandedStore;
  readonly interruptedSendsQueue: Queue<InterruptedJob>;
  readonly textQueues: Readonly<Record<TextChannel, Queue<TextJob>>>;
  readonly webhookDeliveriesQueue: Queue<DeliveryJob>;
}

interface Position {
  readonly after: string;
  readonly roundMs: number;
}

interface Brought {
  readonly found: number;
  readonly next: string | undefined;
}

/** Half of the 14 days that a queue keeps a job: the next round is at twice the age of a text, when the first job of an older one can be gone. */
const oldMs = 7 * 24 * 60 * 60 * 1_000;

/** Queues the overdue work of one page again for its worker. Returns the cursor of the next page, if there may be one. */
export const bringBack = ({ stranded, interruptedSendsQueue, textQueues, webhookDeliveriesQueue }: BringBackNeeds) => {
  const messages = async (partition: MessagePartition, position: Position): Promise<Brought> => {
    const { account, channel } = partition;
    const { overdue, next } = await stranded.messages(partition, position);
    // One may be being sent now under an old id, because its request is repeated, or its payment succeeded late. Its job names the run, since another may begin meanwhile.
    if (channel === 'email')
      await interruptedSendsQueue.send(
        overdue.map(({ message, run }) => ({ account, message, channel, ...(run !== undefined && { run }) })),
        { delaySeconds: longestRunMs / 1_000 },
      );
    else
      await textQueues[channel].send(
        overdue.map(({ message, beganMs }) => {
          const isOld = position.roundMs - beganMs >= oldMs;
          return { kind: 'text', account, message, channel, isSpare: true, ...(isOld && { isOld }) };
        }),
      );
    return { found: overdue.length, next };
  };

  const deliveries = async ({ shard }: DeliveryPartition, position: Position): Promise<Brought> => {
    const { overdue, next } = await stranded.deliveries(shard, position);
    await webhookDeliveriesQueue.send(overdue.map(deliveryJobOf));
    return { found: overdue.length, next };
  };

  return async (partition: OverduePartition, position: Position): Promise<string | undefined> => {
    const { found, next } = await ('entity' in partition
      ? deliveries(partition, position)
      : messages(partition, position));
    if (found > 0) log('warn', 'overdue work was queued again', { ...namesOf(partition), found });
    return next;
  };
};

/** A partition as the log names it. */
const namesOf = (partition: OverduePartition) => {
  if ('entity' in partition) return partition;
  const { account: accountId, ...more } = partition;
  return { accountId, ...more };
};

/** Each attempt queues the next one. A delivery without an attempt in this round gets its first. */
const deliveryJobOf = ({ attemptsMade, earlierAttempts, ...ids }: OpenDelivery): DeliveryJob => ({
  ...ids,
  earlierAttempts,
  attempt: Math.max(attemptsMade, earlierAttempts + 1),
  lane: 'fast',
});
