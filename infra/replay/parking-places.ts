import { type QueueName, queueRow, queues } from '../queues.ts';
import { functionName, topicDeadLetters } from '../rows.ts';
import { type Source, workers } from '../workers.ts';

/**
 * Where work is parked after its last retry failed, by the name used on the command line: jobs of a queue in its dead-letter queue,
 * messages of a topic in the function's dead-letter queue, stream batches in a bucket.
 */
export type ParkingPlace = { readonly name: string } & (
  | { readonly kind: 'jobs' | 'news'; readonly deadLetters: string }
  | { readonly kind: 'batches' }
);

const jobPlaces = (Object.keys(queues) as QueueName[])
  .filter((name) => !queueRow(name).afterwards)
  .map((name): ParkingPlace => ({ name, kind: 'jobs', deadLetters: `${name}-dead-letters` }));

const placesOf = (does: string, on: Source): ParkingPlace[] => {
  if ('stream' in on) return [{ name: functionName(does), kind: 'batches' }];
  return 'topic' in on ? [{ name: functionName(does), kind: 'news', deadLetters: topicDeadLetters(does) }] : [];
};

export const parkingPlaces: readonly ParkingPlace[] = [
  ...jobPlaces,
  ...workers.flatMap(({ does, on }) => [on].flat().flatMap((source) => placesOf(does, source))),
];

/**
 * Whether this is the physical name of the resource with this id in a stack of the stage. CloudFormation composes it of the stack, the id
 * without dashes, eight hexadecimal digits and, on AWS, a random suffix; a bucket's name has no capitals.
 */
export const isNameOf = (physical: string, { stage, id }: { readonly stage: string; readonly id: string }): boolean =>
  new RegExp(`^${stage}-(data|work)-${id.replaceAll('-', '')}[0-9A-F]{8}(-\\w+)?$`, 'i').test(physical);
