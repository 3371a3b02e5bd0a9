import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { ConfigurationSet } from 'aws-cdk-lib/aws-ses';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { settingOf } from './settings.ts';
import type { QueueName, TopicName } from './workers.ts';

/** The things that a power can be over. */
export interface World {
  readonly table: TableV2;
  readonly masterKey: IKey;
  readonly queues: Readonly<Record<QueueName, Queue>>;
  readonly deadLetters: Readonly<Record<QueueName, Queue>>;
  readonly topics: Readonly<Record<TopicName, Topic>>;
  /** All mail goes by it; it says what SES tells about mail, and to whom. */
  readonly mailing: ConfigurationSet;
  /** Where links for people lead. */
  readonly publicBaseUrl: string;
}

type Grant = (fn: LambdaFunction, world: World) => void;

const allow = (
  fn: LambdaFunction,
  actions: readonly string[],
  resources: readonly string[],
  conditions?: Record<string, unknown>,
) =>
  fn.addToRolePolicy(
    new PolicyStatement({ actions: [...actions], resources: [...resources], ...(conditions && { conditions }) }),
  );

const withTable = (fn: LambdaFunction, { table }: World): string => {
  fn.addEnvironment('TABLE_NAME', table.tableName);
  return table.tableArn;
};

const onQueue =
  (name: QueueName): Grant =>
  (fn, { queues }) => {
    allow(fn, ['sqs:SendMessage'], [queues[name].queueArn]);
    fn.addEnvironment(`${name.toUpperCase().replaceAll('-', '_')}_QUEUE_URL`, queues[name].queueUrl);
  };

/** A power is a permission and the environment that goes with it. Nothing else grants anything. */
export const powers = {
  'table:read': (fn, world) => {
    const arn = withTable(fn, world);
    allow(fn, ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'], [arn, `${arn}/index/*`]);
  },
  'table:write': (fn, world) => {
    allow(fn, ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'], [withTable(fn, world)]);
  },
  /** Admitting a caller counts the request on the key's own item, and touches no other. */
  'api-keys:admit': (fn, world) => {
    const onlyKeys = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['KEY#*'] } };
    allow(fn, ['dynamodb:UpdateItem'], [withTable(fn, world)], onlyKeys);
  },
  /** Deliveries and their subscriptions: read and updated by whoever knows their keys, and nothing else of the table. */
  'deliveries:attempt': (fn, world) => {
    const onlyWebhooks = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['A#*#WH', 'WH#*'] } };
    allow(fn, ['dynamodb:BatchGetItem', 'dynamodb:UpdateItem'], [withTable(fn, world)], onlyWebhooks);
  },
  'data:open': (fn, { masterKey }) => {
    allow(fn, ['kms:Decrypt'], [masterKey.keyArn]);
  },
  'data:create-key': (fn, { masterKey }) => {
    allow(fn, ['kms:GenerateDataKey'], [masterKey.keyArn]);
    fn.addEnvironment('MASTER_KEY_ID', masterKey.keyArn);
  },
  'email:send': (fn, { mailing: { configurationSetName } }) => {
    const arnOf = (resource: string) => `arn:aws:ses:${fn.stack.region}:${fn.stack.account}:${resource}`;
    allow(fn, ['ses:SendRawEmail'], [arnOf('identity/*'), arnOf(`configuration-set/${configurationSetName}`)]);
    fn.addEnvironment('MAIL_CONFIGURATION_SET', configurationSetName);
    fn.addEnvironment('PLATFORM_EMAIL', settingOf(fn.node, 'PLATFORM_EMAIL'));
  },
  /** Writing links for people takes only to know where they lead. */
  'links:make': (fn, { publicBaseUrl }) => {
    fn.addEnvironment('PUBLIC_BASE_URL', publicBaseUrl);
  },
  /** Calling targets takes no permission, only to know which are allowed. */
  'webhooks:call': (fn) => {
    fn.addEnvironment('WEBHOOK_TARGETS', settingOf(fn.node, 'WEBHOOK_TARGETS'));
  },
  'retries:schedule': (fn, { queues }) => {
    const { queueArn } = queues['webhook-deliveries'];
    const role = new Role(fn.stack, 'scheduler-role', { assumedBy: new ServicePrincipal('scheduler.amazonaws.com') });
    role.addToPolicy(new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [queueArn] }));
    allow(fn, ['iam:PassRole'], [role.roleArn], {
      StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' },
    });
    const schedules = `arn:aws:scheduler:${fn.stack.region}:${fn.stack.account}:schedule/default/retry-*`;
    allow(fn, ['scheduler:CreateSchedule'], [schedules]);
    fn.addEnvironment('SCHEDULER_ROLE_ARN', role.roleArn);
    fn.addEnvironment('WEBHOOK_DELIVERIES_QUEUE_ARN', queueArn);
    fn.addEnvironment('WEBHOOK_RETRY_DELAYS', settingOf(fn.node, 'WEBHOOK_RETRY_DELAYS'));
  },
  'queue:webhook-deliveries': onQueue('webhook-deliveries'),
  'queue:slow-webhook-deliveries': onQueue('slow-webhook-deliveries'),
  'queue:deleted-webhooks': onQueue('deleted-webhooks'),
  'queue:interrupted-sends': (fn, world) => {
    onQueue('interrupted-sends')(fn, world);
    fn.addEnvironment('SEND_GIVE_UP_SECONDS', settingOf(fn.node, 'SEND_GIVE_UP_SECONDS'));
  },
} as const satisfies Record<string, Grant>;

export type Power = keyof typeof powers;

/** What Lambda needs to feed a function from a queue. */
export const consumeQueue = (fn: LambdaFunction, { queues }: World, name: QueueName): void =>
  allow(fn, ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'], [queues[name].queueArn]);

/** What Lambda needs to feed a function from the table's stream. */
export const readStream = (fn: LambdaFunction, { table }: World): void =>
  allow(
    fn,
    ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator', 'dynamodb:ListStreams'],
    [table.tableStreamArn ?? ''],
  );

/** What a function needs to tell a topic's messages from others. That the topic may call it, its subscription says. */
export const knowTopic = (fn: LambdaFunction, { topics }: World, name: TopicName): void => {
  fn.addEnvironment('TOPIC_ARN', topics[name].topicArn);
};
