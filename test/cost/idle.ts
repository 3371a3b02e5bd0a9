import * as z from 'zod';
import { readTemplates } from '../read-templates.ts';
import { measureLooks } from './looks.ts';
import { prices as ofOperations } from './prices.ts';

/** List prices in us-east-1, in dollars, without free tiers. */
const prices = {
  /** https://aws.amazon.com/sqs/pricing, standard queues */
  sqsRequest: 0.4 / 1_000_000,
  /** https://aws.amazon.com/cloudwatch/pricing: each metric of an alarm; a composite alarm costs 0.50 and its parts their own */
  alarmMetricMonth: 0.1,
  /** https://aws.amazon.com/kms/pricing; the first two yearly rotations add 1.00 each */
  keyMonth: 1,
};
/** While a queue is empty, Lambda reads it with five long polls of 20 s (Lambda developer guide, “Using Lambda with Amazon SQS”). */
const pollers = 5;
const pollSeconds = 20;
const secondsAMonth = 30 * 86_400;
const hoursAMonth = 30 * 24;

const mapping = z.object({ StartingPosition: z.string().optional() });
const metric = z.object({ MetricStat: z.unknown().optional() });
const alarm = z.object({ Metrics: z.array(metric).optional() });

/** What a deployment without any traffic is billed for: the number of each, and dollars a month. */
export const idleCosts = async (assembly: string) => {
  const resources = readTemplates(assembly);
  const propertiesOf = <T>(type: string, schema: z.ZodType<T>): T[] =>
    resources.filter((one) => one.Type === type).map((one) => schema.parse(one.Properties));
  // The stream of a table is read by Lambda for nothing.
  const queues = propertiesOf('AWS::Lambda::EventSourceMapping', mapping).filter((one) => !one.StartingPosition).length;
  const metrics = propertiesOf('AWS::CloudWatch::Alarm', alarm)
    .map(({ Metrics }) => Metrics?.filter(({ MetricStat }) => MetricStat).length ?? 1)
    .reduce((sum, count) => sum + count, 0);
  const keys = propertiesOf('AWS::KMS::Key', z.unknown()).length;
  const polls = (pollers * secondsAMonth) / pollSeconds;
  const { looks, units } = await measureLooks();
  const costs = [
    { what: 'queues that a function polls', count: queues, dollars: queues * polls * prices.sqsRequest },
    { what: 'metrics of alarms', count: metrics, dollars: metrics * prices.alarmMetricMonth },
    { what: 'encryption keys', count: keys, dollars: keys * prices.keyMonth },
    { what: 'index partitions read in an hour', count: looks, dollars: hoursAMonth * units * ofOperations.readUnit },
  ];
  const total = costs.reduce((sum, { dollars }) => sum + dollars, 0);
  return [...costs, { what: 'together', count: '', dollars: total }];
};
