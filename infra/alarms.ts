import { Duration, type Stack } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { EventSourceMapping, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { RunbookSection } from '../shared/docs/runbook.ts';
import type { Resources } from './powers.ts';

const period = Duration.minutes(1);
const fiveMinutes = Duration.minutes(5);
const longestLagMs = 5 * 60_000;

interface Rule {
  /** What users notice. */
  readonly text: string;
  /** Its paragraph of the runbook. */
  readonly section: RunbookSection;
  readonly metric: IMetric;
  readonly atLeast: number;
  readonly periods?: number;
  /** Whether the alarm stays as it is while there are no values. By default it ends. */
  readonly lasts?: boolean;
}

/** Every alarm tells the topic when it begins and when it ends, and its text links to the runbook. */
const alarm = (stack: Stack, { alarms, publicBaseUrl }: Resources, id: string, rule: Rule): void => {
  const told = new SnsAction(alarms);
  const made = new Alarm(stack, id, {
    alarmDescription: `${rule.text} ${publicBaseUrl}/docs/runbook#${rule.section}`,
    metric: rule.metric,
    threshold: rule.atLeast,
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    evaluationPeriods: rule.periods ?? 1,
    treatMissingData: rule.lasts ? TreatMissingData.IGNORE : TreatMissingData.NOT_BREACHING,
  });
  made.addAlarmAction(told);
  made.addOkAction(told);
};

/** An alarm for the first job in a dead-letter queue. `breaks`: what users notice. */
export const alarmWhenParked = (
  stack: Stack,
  resources: Resources,
  name: string,
  deadLetters: IQueue,
  breaks: string,
): void =>
  alarm(stack, resources, `${name}-parked`, {
    text: `${breaks} The failed jobs are in ${deadLetters.queueName}.`,
    section: 'parked-jobs',
    metric: deadLetters.metricApproximateNumberOfMessagesVisible({ period, statistic: Stats.MAXIMUM }),
    atLeast: 1,
  });

/** An alarm for a stream batch that Lambda gave up and stored in the failure bucket. */
export const alarmWhenKept = (
  stack: Stack,
  resources: Resources,
  name: string,
  mapping: EventSourceMapping,
  breaks: string,
): void =>
  alarm(stack, resources, `${name}-kept`, {
    text: `${breaks} Failed batches are stored in ${resources.failedBatches.bucketName}: npm run replay -- ${name}`,
    section: 'kept-batches',
    metric: new Metric({
      namespace: 'AWS/Lambda',
      metricName: 'OnFailureDestinationDeliveredEventCount',
      dimensionsMap: { EventSourceMappingUUID: mapping.eventSourceMappingId },
      period,
      statistic: Stats.SUM,
    }),
    atLeast: 1,
  });

/** An alarm for a stream reader that is minutes behind. */
export const alarmWhenBehind = (
  stack: Stack,
  resources: Resources,
  name: string,
  fn: LambdaFunction,
  breaks: string,
): void =>
  alarm(stack, resources, `${name}-behind`, {
    text: `${breaks} The reader is over five minutes behind the table.`,
    section: 'reader-behind',
    metric: fn.metric('IteratorAge', { period, statistic: Stats.MAXIMUM }),
    atLeast: longestLagMs,
    periods: 3,
  });

/** The fields of log lines that raise an alarm where they are `true`. */
const alarmingLines = {
  /** Only a person can resolve it. */
  needsPerson: { name: 'needs-person', section: 'needs-person' },
  outOfCredits: { name: 'no-credits', section: 'no-credits' },
} as const;

/** An alarm for a log line with this field. `text`: what happened. */
export const alarmWhenLogged = (
  stack: Stack,
  resources: Resources,
  fn: LambdaFunction,
  field: keyof typeof alarmingLines,
  text: string,
): void => {
  const { name, section } = alarmingLines[field];
  const id = `${fn.node.id}-${name}`;
  const filter = new MetricFilter(stack, `${id}-lines`, {
    logGroup: fn.logGroup,
    filterPattern: FilterPattern.booleanValue(`$.${field}`, true),
    metricNamespace: stack.stackName,
    metricName: id,
  });
  alarm(stack, resources, id, {
    text: `${text} See the lines with ${field} in the function's log.`,
    section,
    metric: filter.metric({ period, statistic: Stats.SUM }),
    atLeast: 1,
  });
};

/** The alarms of the whole application. Each metric of an alarm costs $0.10 a month, so there are few: a log says which part it is. */
export const watchApplication = (stack: Stack, resources: Resources, apiId: string): void => {
  const sum = (namespace: string, metricName: string, dimensionsMap: Record<string, string> = {}) =>
    new Metric({ namespace, metricName, dimensionsMap, period: fiveMinutes, statistic: Stats.SUM });
  const highest = (metricName: string) =>
    new Metric({ namespace: 'AWS/SES', metricName, period: Duration.hours(1), statistic: Stats.MAXIMUM });
  const TableName = resources.table.tableName;

  alarm(stack, resources, 'api-errors', {
    text: 'Callers of the API get 5xx.',
    section: 'api-errors',
    metric: sum('AWS/ApiGateway', '5xx', { ApiId: apiId }),
    atLeast: 5,
  });
  alarm(stack, resources, 'function-errors', {
    text: 'Functions of this region crash or are cut off.',
    section: 'function-errors',
    metric: sum('AWS/Lambda', 'Errors'),
    atLeast: 5,
  });
  alarm(stack, resources, 'function-throttles', {
    text: 'Functions of this region wait for concurrency; callers of the API get 503.',
    section: 'function-throttles',
    metric: sum('AWS/Lambda', 'Throttles'),
    atLeast: 10,
  });
  alarm(stack, resources, 'bounces', {
    text: '5 % of the emails bounce. At 10 % SES stops all email.',
    section: 'mail-reputation',
    metric: highest('Reputation.BounceRate'),
    ...{ atLeast: 0.05, lasts: true },
  });
  alarm(stack, resources, 'complaints', {
    text: '0.1 % of the emails are complained about. At 0.5 % SES stops all email.',
    section: 'mail-reputation',
    metric: highest('Reputation.ComplaintRate'),
    ...{ atLeast: 0.001, lasts: true },
  });
  alarm(stack, resources, 'table-calls', {
    text: 'DynamoDB throttles calls or fails; requests are slow or get 503.',
    section: 'table',
    metric: new MathExpression({
      expression:
        'FILL(reads, 0) + FILL(writes, 0) + FILL(indexWrites, 0) + FILL(recipientWrites, 0) + FILL(failures, 0)',
      usingMetrics: {
        reads: sum('AWS/DynamoDB', 'ReadThrottleEvents', { TableName }),
        writes: sum('AWS/DynamoDB', 'WriteThrottleEvents', { TableName }),
        indexWrites: sum('AWS/DynamoDB', 'WriteThrottleEvents', { TableName, GlobalSecondaryIndexName: 'GSI1' }),
        recipientWrites: sum('AWS/DynamoDB', 'WriteThrottleEvents', { TableName, GlobalSecondaryIndexName: 'GSI2' }),
        failures: sum('AWS/DynamoDB', 'SystemErrors', { TableName, Operation: 'TransactWriteItems' }),
      },
      period: fiveMinutes,
    }),
    atLeast: 50,
  });
};
