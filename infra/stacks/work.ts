import { Duration, Stack } from 'aws-cdk-lib';
import { type EventSourceMappingOptions, FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { alarmWhenBehind, alarmWhenParked } from '../alarms.ts';
import { buildFunction } from '../build-function.ts';
import { functionName } from '../bundle.ts';
import { consumeQueue, readStream, type World } from '../powers.ts';
import { type QueueSource, type StreamSource, workers } from '../workers.ts';
import { buildDeadLetterQueue } from './data.ts';

/** Lambda's own limits for a stream are none at all: one poison record would hold up a shard for a day. */
const streamRetries = { retryAttempts: 10, maxRecordAge: Duration.hours(6), bisectBatchOnError: true };

/** One function for each row of the workers' table, fed by a queue or by the table's stream. */
export class WorkStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    { world, codeOf }: { readonly world: World; readonly codeOf: (does: string) => string },
  ) {
    super(scope, id);
    for (const worker of workers) {
      const fn = buildFunction(this, world, { ...worker, codeDirectory: codeOf(worker.does) });
      if ('queue' in worker.on) {
        consumeQueue(fn, world, worker.on.queue);
        fn.addEventSourceMapping('queue', queueMapping(world, worker.on));
        alarmWhenParked(this, worker.on.queue, world.deadLetters[worker.on.queue], worker.breaks);
      } else {
        readStream(fn, world);
        const name = functionName(worker.does);
        const deadLetters = buildDeadLetterQueue(this, `${name}-dead-letters`);
        fn.addEventSourceMapping('stream', streamMapping(world, worker.on, deadLetters));
        alarmWhenParked(this, name, deadLetters, worker.breaks);
        alarmWhenBehind(this, name, fn, worker.breaks);
      }
    }
  }
}

const streamMapping = ({ table }: World, { stream }: StreamSource, deadLetters: Queue): EventSourceMappingOptions => {
  const image = Object.fromEntries(
    Object.entries(stream.newImage).map(([field, values]) => [field, { S: [...values] }]),
  );
  return {
    eventSourceArn: table.tableStreamArn ?? '',
    startingPosition: StartingPosition.TRIM_HORIZON,
    batchSize: 100,
    reportBatchItemFailures: true,
    ...streamRetries,
    filters: [FilterCriteria.filter({ eventName: FilterRule.or(...stream.eventName), dynamodb: { NewImage: image } })],
    onFailure: new SqsDlq(deadLetters),
  };
};

const queueMapping = ({ queues }: World, { queue, batchSize }: QueueSource): EventSourceMappingOptions => ({
  eventSourceArn: queues[queue].queueArn,
  batchSize,
  reportBatchItemFailures: true,
});
