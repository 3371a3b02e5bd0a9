import { Duration, Stack } from 'aws-cdk-lib';
import {
  type Code,
  type EventSourceMappingOptions,
  FilterCriteria,
  FilterRule,
  type Function as LambdaFunction,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { LambdaSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { alarmWhenBehind, countLines, watchWorkers } from '../alarms.ts';
import { buildFunction } from '../build-function.ts';
import type { RecordFilter } from '../changes.ts';
import { reservedForWorker, reservedIn, shardsIn } from '../concurrency.ts';
import { consumeQueue, keepFailedBatches, knowTopic, readStream, scheduleRole } from '../powers.ts';
import { type QueueName, queueRow } from '../queues.ts';
import type { Resources } from '../resources.ts';
import { functionName } from '../rows.ts';
import { type QueueSource, type Source, type StreamSource, streamRetriesOf, type Worker, workers } from '../workers.ts';

/** By default Lambda retries without limit: one poison record would block a shard for a day. */
const streamRetries = { maxRecordAge: Duration.hours(6), bisectBatchOnError: true };
/** Lambda's retries of asynchronous calls: two, after one minute and after two. */
const eventRetries = { retryAttempts: 2, maxEventAge: Duration.hours(6) };

/** One function for each row of the workers' table, fed by a queue, a topic or the table's stream. */
export class WorkStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    { resources, codeOf }: { readonly resources: Resources; readonly codeOf: (does: string) => Code },
  ) {
    super(scope, id);
    for (const worker of workers) {
      const fn = buildFunction(this, resources, {
        ...worker,
        reservedConcurrency: reservedForWorker(reservedIn(this.node), worker, shardsIn(this.node)),
        mayContinue: [worker.on].flat().some((source) => 'queue' in source),
        code: codeOf(worker.does),
      });
      for (const source of [worker.on].flat()) this.feed(fn, resources, { ...worker, on: source });
      for (const field of worker.countedLines ?? []) countLines(this, functionName(worker.does), fn.logGroup, field);
    }
    watchWorkers(this, resources);
  }

  private feed(fn: LambdaFunction, resources: Resources, { does, on, breaks }: Worker & { readonly on: Source }): void {
    if ('queue' in on) {
      const { every = {} } = queueRow(on.queue);
      for (const [rate, job] of Object.entries(every)) this.schedule(resources, on.queue, rate, job);
      consumeQueue(fn, resources, on.queue);
      fn.addEventSourceMapping(on.queue, queueMapping(resources, on));
      return;
    }
    if ('topic' in on) {
      const { parkedJobs: deadLetterQueue, topics } = resources;
      knowTopic(fn, resources, on.topic);
      topics[on.topic].addSubscription(new LambdaSubscription(fn, { deadLetterQueue }));
      fn.configureAsyncInvoke({ onFailure: new SqsDestination(deadLetterQueue), ...eventRetries });
    } else {
      readStream(fn, resources);
      keepFailedBatches(fn, resources);
      fn.addEventSourceMapping('stream', streamMapping(resources, on));
      if (on.isUrgent) alarmWhenBehind(this, resources, functionName(does), fn, breaks);
    }
  }

  private schedule(resources: Resources, queue: QueueName, rate: string, job: { readonly kind: string }): void {
    new CfnSchedule(this, `${queue}-${job.kind}-rhythm`, {
      groupName: resources.schedules.ref,
      scheduleExpression: `rate(${rate})`,
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn: resources.queues[queue].queueArn,
        roleArn: scheduleRole(this, resources, queue).roleArn,
        input: JSON.stringify(job),
      },
    });
  }
}

const streamMapping = ({ table, failedBatches }: Resources, source: StreamSource): EventSourceMappingOptions => {
  const { stream, windowSeconds, batchSize = 100 } = source;
  return {
    eventSourceArn: table.tableStreamArn ?? '',
    startingPosition: StartingPosition.TRIM_HORIZON,
    batchSize,
    ...(windowSeconds !== undefined && { maxBatchingWindow: Duration.seconds(windowSeconds) }),
    reportBatchItemFailures: true,
    ...streamRetries,
    retryAttempts: streamRetriesOf(source),
    filters: stream.map(filterOf),
    // Not `S3OnFailureDestination`, which lets the function itself read and write the whole bucket.
    onFailure: { bind: () => ({ destination: failedBatches.bucketArn }) },
  };
};

const filterOf = ({ eventName, oldImage, newImage }: RecordFilter) =>
  FilterCriteria.filter({
    eventName: FilterRule.or(...eventName),
    dynamodb: {
      ...(oldImage && { OldImage: imageFilter(oldImage) }),
      ...(newImage && { NewImage: imageFilter(newImage) }),
    },
  });

const imageFilter = (image: NonNullable<RecordFilter['newImage']>) =>
  Object.fromEntries(Object.entries(image).map(([field, values]) => [field, { S: [...values] }]));

const queueMapping = (
  { queues }: Resources,
  { queue, batchSize, concurrency }: QueueSource,
): EventSourceMappingOptions => ({
  eventSourceArn: queues[queue].queueArn,
  batchSize,
  reportBatchItemFailures: true,
  maxConcurrency: concurrency,
});
