import { type QueueName, queueRow, type TopicName } from '../queues.ts';
import { functionName } from '../rows.ts';
import { type Source, type Worker, workers } from '../workers.ts';

/**
 * Work that was parked after its last retry failed, by the name used on the command line: the jobs of a queue, the messages of a topic that a
 * function failed on, or the batches of the stream, which are in a bucket. `breaks`: what users notice.
 */
export interface ParkingPlace {
  readonly name: string;
  readonly kind: 'jobs' | 'news' | 'batches';
  readonly breaks: string;
  /** The topic of news. */
  readonly topic?: TopicName;
}

const jobsOf = (queue: QueueName, breaks: string): ParkingPlace[] =>
  queueRow(queue).afterwards ? [] : [{ name: queue, kind: 'jobs', breaks }];

const placesOf = ({ does, breaks }: Worker, on: Source): ParkingPlace[] => {
  if ('queue' in on) return jobsOf(on.queue, breaks);
  const name = functionName(does);
  return ['stream' in on ? { name, kind: 'batches', breaks } : { name, kind: 'news', breaks, topic: on.topic }];
};

export const parkingPlaces: readonly ParkingPlace[] = workers.flatMap((worker) =>
  [worker.on].flat().flatMap((source) => placesOf(worker, source)),
);

/**
 * Whether this is the physical name of the resource with this id in a stack of the stage. CloudFormation composes it of the stack, the id
 * without dashes, eight hexadecimal digits and, on AWS, a random suffix; a bucket's name has no capitals.
 */
export const isNameOf = (physical: string, { stage, id }: { readonly stage: string; readonly id: string }): boolean =>
  new RegExp(`^${stage}-(data|work)-${id.replaceAll('-', '')}[0-9A-F]{8}(-\\w+)?$`, 'i').test(physical);

/** Whether this is the ARN of the function with this id in a stack of the stage. On the local stack it has its plain name. */
export const isFunctionOf = (arn: string, { stage, id }: { readonly stage: string; readonly id: string }): boolean => {
  const name = arn.split(':')[6] ?? '';
  return name === id || isNameOf(name, { stage, id });
};
