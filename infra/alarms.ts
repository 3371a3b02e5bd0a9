import { Duration, type Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, Metric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { RunbookSection } from '../shared/docs/runbook.ts';
import { metricsNamespaceOf } from './dashboard.ts';
import type { Resources } from './resources.ts';

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

/** Every alarm notifies the topic when it begins and when it ends, and its text links to the runbook. */
const alarm = (stack: Stack, { alarms, publicBaseUrl }: Resources, id: string, rule: Rule): void => {
  const notification = new SnsAction(alarms);
  const made = new Alarm(stack, id, {
    alarmDescription: `${rule.text} ${publicBaseUrl}/docs/runbook#${rule.section}`,
    metric: rule.metric,
    threshold: rule.atLeast,
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    evaluationPeriods: rule.periods ?? 1,
    treatMissingData: rule.lasts ? TreatMissingData.IGNORE : TreatMissingData.NOT_BREACHING,
  });
  made.addAlarmAction(notification);
  made.addOkAction(notification);
};

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

/**
 * Lines that functions of several logs write: `needsPerson`, only a person can resolve what became of a payment or refund; `mailRefused`, SES
 * refuses our emails, or one has waited for over 15 minutes; `textsRefused`, a provider takes no texts of an account, or our worker sends none;
 * `outOfCredits`, an account had none for an email or text.
 */
const countedLines = {
  needsPerson: 'needs-person-lines',
  mailRefused: 'mail-refused-lines',
  textsRefused: 'texts-refused-lines',
  outOfCredits: 'no-credits-lines',
} as const;

export type CountedLine = keyof typeof countedLines;

/** The lines of a log with this field: those of all logs are one metric. */
export const countLines = (stack: Stack, id: string, logGroup: ILogGroup, field: CountedLine): MetricFilter =>
  new MetricFilter(stack, `${id}-${countedLines[field]}`, {
    logGroup,
    filterPattern: FilterPattern.booleanValue(`$.${field}`, true),
    metricNamespace: metricsNamespaceOf(stack),
    metricName: field,
  });

const countedByWorkers = ['needsPerson', 'textsRefused'] as const satisfies readonly CountedLine[];

/** Alarms of lines that workers write, in the stack and under the ids of earlier releases, so that a deployment leaves no time without them. */
export const watchWorkers = (stack: Stack, resources: Resources): void => {
  const counted = (metricName: (typeof countedByWorkers)[number]) =>
    new Metric({ namespace: metricsNamespaceOf(stack), metricName, period, statistic: Stats.SUM });
  alarm(stack, resources, 'checkout-work-payments-needs-person', {
    text: 'A payment or refund waits for a person, because no rule decides it. See the lines with needsPerson in the log.',
    section: 'needs-person',
    metric: counted('needsPerson'),
    atLeast: 1,
  });
  alarm(stack, resources, 'messages-send-text-texts-refused', {
    text: 'A provider takes no texts of an account, because of its credentials, its sender or its spend limit, or since it does not answer or is over its rate. Or our own worker fails at texts. See the lines with textsRefused in the log.',
    section: 'texts-refused',
    metric: counted('textsRefused'),
    atLeast: 1,
  });
};

/** The alarms of the whole application. Each metric of an alarm costs $0.10 a month, so there are few: a log says which part it is. */
export const watchApplication = (stack: Stack, resources: Resources, apiId: string): void => {
  const sum = (namespace: string, metricName: string, dimensionsMap: Record<string, string> = {}) =>
    new Metric({ namespace, metricName, dimensionsMap, period: fiveMinutes, statistic: Stats.SUM });
  const highest = (metricName: string) =>
    new Metric({ namespace: 'AWS/SES', metricName, period: Duration.hours(1), statistic: Stats.MAXIMUM });
  const counted = (field: CountedLine, every: Duration) =>
    countLines(stack, 'requests', resources.requestLog, field).metric({ period: every, statistic: Stats.SUM });
  const TableName = resources.table.tableName;

  alarm(stack, resources, 'api-errors', {
    text: 'Callers of the API get 5xx.',
    section: 'api-errors',
    metric: sum('AWS/ApiGateway', '5xx', { ApiId: apiId }),
    atLeast: 5,
  });
  alarm(stack, resources, 'parked', {
    text: 'Work failed on its last try. npm run replay with --stage says what, and what users notice.',
    section: 'parked-jobs',
    metric: resources.parkedJobs.metricApproximateNumberOfMessagesVisible({ period, statistic: Stats.MAXIMUM }),
    atLeast: 1,
  });
  alarm(stack, resources, 'function-throttles', {
    text: 'Functions of this region wait for concurrency; callers of the API get 503.',
    section: 'function-throttles',
    metric: sum('AWS/Lambda', 'Throttles'),
    atLeast: 10,
  });
  for (const field of countedByWorkers) countLines(stack, 'requests', resources.requestLog, field);
  alarm(stack, resources, 'mail-refused', {
    text: 'SES refuses our emails for a reason that only an operator can remove. The lines with mailRefused in the log name the cure. Or emails have waited for SES for over 15 minutes.',
    section: 'mail-refused',
    metric: counted('mailRefused', fiveMinutes),
    atLeast: 1,
  });
  alarm(stack, resources, 'no-credits', {
    text: 'An account has no credits left: its sends are refused with 402, its receipts are left out. See the lines with outOfCredits in the log.',
    section: 'no-credits',
    metric: counted('outOfCredits', period),
    atLeast: 1,
  });
  alarm(stack, resources, 'bounces', {
    text: '5 % of the emails bounce. At 10 % SES stops all email.',
    section: 'mail-reputation',
    metric: highest('Reputation.BounceRate'),
    atLeast: 0.05,
    lasts: true,
  });
  alarm(stack, resources, 'complaints', {
    text: '0.1 % of the emails are complained about. At 0.5 % SES stops all email.',
    section: 'mail-reputation',
    metric: highest('Reputation.ComplaintRate'),
    atLeast: 0.001,
    lasts: true,
  });
  // One metric for the table and its indexes: everything that is accepted is a transaction, and a throttled index throttles it too.
  alarm(stack, resources, 'table-calls', {
    text: 'DynamoDB throttles writes; requests are slow or get 503.',
    section: 'table',
    metric: sum('AWS/DynamoDB', 'ThrottledRequests', { TableName, Operation: 'TransactWriteItems' }),
    atLeast: 50,
  });
};
