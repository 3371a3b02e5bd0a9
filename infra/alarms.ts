import { Duration, type Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { EventSourceMapping, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';

const period = Duration.minutes(1);
const longestLagMs = 5 * 60_000;

/** Rings as soon as work is parked because it failed too often, and says what people notice meanwhile. */
export const alarmWhenParked = (stack: Stack, name: string, deadLetters: IQueue, breaks: string): void => {
  new Alarm(stack, `${name}-parked`, {
    alarmDescription: `${breaks} What failed waits in ${deadLetters.queueName}.`,
    metric: deadLetters.metricApproximateNumberOfMessagesVisible({ period, statistic: 'Maximum' }),
    threshold: 0,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    evaluationPeriods: 1,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
};

/** Rings when a batch of the stream was given up and is kept. */
export const alarmWhenKept = (
  stack: Stack,
  name: string,
  mapping: EventSourceMapping,
  bucket: Bucket,
  breaks: string,
): void => {
  new Alarm(stack, `${name}-kept`, {
    alarmDescription: `${breaks} What failed is kept in ${bucket.bucketName}: npm run replay -- ${name}`,
    metric: new Metric({
      namespace: 'AWS/Lambda',
      metricName: 'OnFailureDestinationDeliveredEventCount',
      dimensionsMap: { EventSourceMappingUUID: mapping.eventSourceMappingId },
      period,
      statistic: 'Sum',
    }),
    threshold: 0,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    evaluationPeriods: 1,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
};

/** Rings when a stream reader falls minutes behind. */
export const alarmWhenBehind = (stack: Stack, name: string, fn: LambdaFunction, breaks: string): void => {
  new Alarm(stack, `${name}-behind`, {
    alarmDescription: `${breaks} The reader is over five minutes behind the table.`,
    metric: fn.metric('IteratorAge', { period, statistic: 'Maximum' }),
    threshold: longestLagMs,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    evaluationPeriods: 3,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
};

/** Rings when a function logs what only a person can settle: a line with `needsPerson: true`. */
export const alarmWhenPersonNeeded = (stack: Stack, name: string, fn: LambdaFunction, matter: string): void => {
  const filter = new MetricFilter(stack, `${name}-needs-person-lines`, {
    logGroup: fn.logGroup,
    filterPattern: FilterPattern.booleanValue('$.needsPerson', true),
    metricNamespace: stack.stackName,
    metricName: `${name}-needs-person`,
  });
  new Alarm(stack, `${name}-needs-person`, {
    alarmDescription: `${matter} The function's log says which, on its lines with needsPerson.`,
    metric: filter.metric({ period, statistic: 'Sum' }),
    threshold: 0,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    evaluationPeriods: 1,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
};
