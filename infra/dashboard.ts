import { Duration, type Stack } from 'aws-cdk-lib';
import { Dashboard, GraphWidget, type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { type MetricName, metrics, metricsNamespace } from '../shared/kit/metrics.ts';
import type { Resources } from './resources.ts';
import { settingOf, stageOf } from './settings.ts';

const period = Duration.minutes(5);

const metric = (namespace: string, metricName: string, statistic: string, dimensionsMap: Record<string, string> = {}) =>
  new Metric({ namespace, metricName, dimensionsMap, statistic, period });

/** The namespace of the metrics that the stage's functions log. */
export const metricsNamespaceOf = ({ node }: Pick<Stack, 'node'>): string => metricsNamespace(stageOf(node));

/** All series of one of these metrics, by the field that divides it. */
const logged = (stack: Stack) => {
  const namespace = metricsNamespaceOf(stack);
  return (name: MetricName, statistic: string = Stats.SUM): IMetric => {
    const { by } = metrics[name];
    if (by === undefined) return metric(namespace, name, statistic);
    // CloudWatch finds nothing by a namespace with hyphens that is not in quotes.
    const search = `{"${namespace}",${by}} MetricName="${name}"`;
    return new MathExpression({ expression: `SEARCH('${search}', '${statistic}')`, label: `${name} `, period });
  };
};

/** The graphs in their rows. */
const graphsOf = (
  own: ReturnType<typeof logged>,
  { table: { tableName }, parkedJobs }: Resources,
  apiId: string,
): readonly Graphs[] => {
  const api = (name: string, statistic: string = Stats.SUM) =>
    metric('AWS/ApiGateway', name, statistic, { ApiId: apiId });
  const mail = (name: string) => metric('AWS/SES', name, Stats.SUM);
  const functions = (name: string, statistic: string = Stats.SUM) => metric('AWS/Lambda', name, statistic);
  const units = (name: string) => metric('AWS/DynamoDB', name, Stats.SUM, { TableName: tableName });
  return [
    {
      'Messages by channel': [own('accepted'), own('sent'), own('delivered'), own('failed')],
      'Blocked sends by reason': [own('blocked')],
      'Milliseconds until sent, and until the first webhook (p99)': [own('sendLag', 'p99'), own('webhookLag', 'p99')],
    },
    {
      'Webhook attempts by outcome': [own('attempts')],
      'Payments and refunds by outcome': [own('payments'), own('refunds')],
      'Calls of AWS made again, by reason': [own('retries')],
    },
    {
      'Requests and refusals': [api('Count'), api('4xx'), api('5xx')],
      'Milliseconds to an answer': [api('Latency', 'p50'), api('Latency', 'p99')],
      'Emails of the region': [mail('Send'), mail('Delivery'), mail('Bounce'), mail('Complaint')],
    },
    {
      'Functions of the region': [
        functions('Errors'),
        functions('Throttles'),
        functions('ConcurrentExecutions', 'max'),
      ],
      'Units of the table': [units('ConsumedReadCapacityUnits'), units('ConsumedWriteCapacityUnits')],
      'Parked work': [parkedJobs.metricApproximateNumberOfMessagesVisible({ period, statistic: Stats.MAXIMUM })],
    },
  ];
};

type Graphs = Readonly<Record<string, IMetric[]>>;

/** One dashboard of the stage, where the setting asks for it. */
export const showDashboard = (stack: Stack, resources: Resources, apiId: string): void => {
  if (settingOf(stack.node, 'DASHBOARD') === 'off') return;
  const widgets = graphsOf(logged(stack), resources, apiId).map((row) =>
    Object.entries(row).map(([title, left]) => new GraphWidget({ title, left, width: 8 })),
  );
  // CloudWatch has one of a name for all regions of an account.
  new Dashboard(stack, 'dashboard', { dashboardName: `${stack.stackName}-overview-${stack.region}`, widgets });
};
