import { Duration, type Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { EventSourceMapping, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';

const period = Duration.minutes(1);
const longestLagMs = 5 * 60_000;

/** An alarm for the first job in a dead-letter queue. Its text says what users notice. */
export const alarmWhenParked = (stack: Stack, name: string, deadLetters: IQueue, breaks: string): void => {
  new Alarm(stack, `${name}-parked`, {
    alarmDescription: `${breaks} The failed jobs are in ${deadLetters.queueName}.`,
    metric: deadLetters.metricApproximateNumberOfMessagesVisible({ period, statistic: 'Maximum' }),
    threshold: 0,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    evaluationPeriods: 1,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
};

/** An alarm for a stream batch that Lambda gave up and stored in the failure bucket. */
export const alarmWhenKept = (
  stack: Stack,
  name: string,
  mapping: EventSourceMapping,
  bucket: Bucket,
  breaks: string,
): void => {
  new Alarm(stack, `${name}-kept`, {
    alarmDescription: `${breaks} Failed batches are stored in ${bucket.bucketName}: npm run replay -- ${name}`,
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

/** An alarm for a stream reader that is minutes behind. */
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

/** An alarm for a log line with `needsPerson: true`: only a person can resolve it. */
export const alarmWhenPersonNeeded = (stack: Stack, name: string, fn: LambdaFunction, matter: string): void => {
  const filter = new MetricFilter(stack, `${name}-needs-person-lines`, {
    logGroup: fn.logGroup,
    filterPattern: FilterPattern.booleanValue('$.needsPerson', true),
    metricNamespace: stack.stackName,
    metricName: `${name}-needs-person`,
  });
  new Alarm(stack, `${name}-needs-person`, {
    alarmDescription: `${matter} See the lines with needsPerson in the function's log.`,
    metric: filter.metric({ period, statistic: 'Sum' }),
    threshold: 0,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    evaluationPeriods: 1,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
};
