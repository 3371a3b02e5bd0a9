import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { settingOf } from './settings.ts';
import type { QueueName } from './workers.ts';

/** The things that a power can be over. */
export interface World {
  readonly table: TableV2;
  readonly masterKey: IKey;
  readonly queues: Readonly<Record<QueueName, Queue>>;
  readonly deadLetters: Readonly<Record<QueueName, Queue>>;
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
  'data:open': (fn, { masterKey }) => {
    allow(fn, ['kms:Decrypt'], [masterKey.keyArn]);
  },
  'data:create-key': (fn, { masterKey }) => {
    allow(fn, ['kms:GenerateDataKey'], [masterKey.keyArn]);
    fn.addEnvironment('MASTER_KEY_ID', masterKey.keyArn);
  },
  'email:send': (fn) => {
    allow(fn, ['ses:SendRawEmail'], [`arn:aws:ses:${fn.stack.region}:${fn.stack.account}:identity/*`]);
    fn.addEnvironment('PLATFORM_EMAIL', settingOf(fn.node, 'PLATFORM_EMAIL'));
  },
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
