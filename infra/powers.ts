import { ArnFormat, type Stack } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { type Area, areas, type ItemArea, indexesOf, leadingKeysOf, leadingKeysOfItem } from '../shared/table/areas.ts';
import { fileFolders } from '../shared/table/transfers/file-keys.ts';
import { type QueueName, queueSetting, type TopicName } from './queues.ts';
import type { Resources } from './resources.ts';
import { type SettingName, settingOf } from './settings.ts';

type Grant = (fn: LambdaFunction, resources: Resources) => void;

const allow = (
  fn: LambdaFunction,
  actions: readonly string[],
  resources: readonly string[],
  conditions?: Record<string, unknown>,
) =>
  fn.addToRolePolicy(
    new PolicyStatement({ actions: [...actions], resources: [...resources], ...(conditions && { conditions }) }),
  );

/** The ARN of what a service has in the region and the account of this stack. */
const arnIn = (stack: Stack, service: string, resource: string): string =>
  stack.formatArn({ service, resource, arnFormat: ArnFormat.NO_RESOURCE_NAME });

const withTable = (fn: LambdaFunction, { table }: Resources): string => {
  fn.addEnvironment('TABLE_NAME', table.tableName);
  return table.tableArn;
};

/** The master key seals data keys of accounts only. */
const ofSomeAccount = { StringLike: { 'kms:EncryptionContext:accountId': '*' } };

const onQueue =
  (name: QueueName): Grant =>
  (fn, { queues }) => {
    allow(fn, ['sqs:SendMessage'], [queues[name].queueArn]);
    fn.addEnvironment(queueSetting(name, 'URL'), queues[name].queueUrl);
  };

/** Calls on the files of one folder. S3 says that a file is missing only to callers who may list the bucket. */
const onFiles =
  (
    folder: keyof typeof fileFolders,
    ...actions: readonly ('s3:GetObject' | 's3:PutObject' | 's3:DeleteObject')[]
  ): Grant =>
  (fn, { files }) => {
    allow(fn, actions, [files.arnForObjects(`${fileFolders[folder]}/*`)]);
    if (actions.includes('s3:GetObject')) allow(fn, ['s3:ListBucket'], [files.bucketArn]);
    fn.addEnvironment('FILES_BUCKET', files.bucketName);
  };

/** Requires no permission, only these settings. */
const knowing =
  (...names: readonly SettingName[]) =>
  (fn: LambdaFunction): void => {
    for (const name of names) fn.addEnvironment(name, settingOf(fn.node, name));
  };

/**
 * Node looks up names in four threads, each for as long as a name server does not answer: four such names would keep every other call of the
 * function waiting.
 */
const lookingUpNames = (fn: LambdaFunction) => {
  fn.addEnvironment('UV_THREADPOOL_SIZE', '64');
};

/** Allows schedules that send jobs to this queue later; their names begin with the queue's. */
const laterOnQueue =
  (name: QueueName, schedules: string): Grant =>
  (fn, resources) => {
    const { roleArn } = scheduleRole(fn.stack, resources, name);
    allow(fn, ['iam:PassRole'], [roleArn], { StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } });
    const group = resources.schedules.ref;
    allow(fn, ['scheduler:CreateSchedule'], [arnIn(fn.stack, 'scheduler', `schedule/${group}/${schedules}-*`)]);
    fn.addEnvironment('SCHEDULE_GROUP', group);
    fn.addEnvironment('SCHEDULER_ROLE_ARN', roleArn);
    fn.addEnvironment(queueSetting(name, 'ARN'), resources.queues[name].queueArn);
  };

/** Binds calls to partition keys. `ForAllValues`, because one call may have several. */
const onlyKeys = (patterns: readonly string[]) => ({ 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': patterns } });

const readTable = (fn: LambdaFunction, resources: Resources, read: readonly Area[]): void => {
  const arn = withTable(fn, resources);
  const reads = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'];
  const indexes = [...new Set(read.flatMap(indexesOf))].toSorted();
  allow(fn, reads, [arn, ...indexes.map((name) => `${arn}/index/${name}`)], onlyKeys(read.flatMap(leadingKeysOf)));
};

const writeTable = (fn: LambdaFunction, resources: Resources, written: readonly Area[]): void => {
  const writes = ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'].map((name) => `dynamodb:${name}`);
  allow(fn, writes, [withTable(fn, resources)], onlyKeys(written.flatMap(leadingKeysOf)));
};

/**
 * Updates that name these attributes only. It is for single calls: areas of one transaction share a statement (`empower`), and that would need
 * the attributes of all of them.
 */
const updating =
  (partitions: readonly string[], attributes: readonly string[]): Grant =>
  (fn, resources) =>
    allow(fn, ['dynamodb:UpdateItem'], [withTable(fn, resources)], {
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions },
      'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['PK', 'SK', 'writeId', ...attributes] },
    });

/** A power is a permission and the environment that goes with it. Nothing else grants anything. */
const powers = {
  /** Authenticating a caller counts the request on the key's own item. It cannot change whose key it is, or what it may do. */
  'api-keys:admit': updating(leadingKeysOfItem('apiKey'), ['minute', 'count', 'revokedAt', 'expiresAt']),
  /** Spreads the credits and messages of an account that has become busy. It cannot change the account or its credits. */
  'spread:raise': updating(leadingKeysOf('account'), ['creditShards', 'messageSpread']),
  /** Replaces the URL for inbound sms. It cannot change the settings of the account, or its ways to pay, which share the partition. */
  'inbound-urls:rotate': updating(leadingKeysOfItem('account'), ['inboundUrls']),
  /** Sets the ways to pay. It cannot change the settings of the account, or its credits, which share the partition. */
  'methods:set': updating(leadingKeysOfItem('methods'), ['methods', 'version', 'entity']),
  /** Rate limits of callers without a key, and of what is mailed, lent, imported, exported or replayed. */
  'rates:count': updating(leadingKeysOf('rates'), ['count', 'expiresAt', 'entity']),
  /** Ends keys that were lent. It cannot change whose key it is, or what it may do. */
  'access-keys:end': (fn, resources) => {
    updating(leadingKeysOfItem('apiKey'), ['revokedAt'])(fn, resources);
    allow(fn, ['dynamodb:DeleteItem'], [withTable(fn, resources)], onlyKeys(leadingKeysOf('access')));
  },
  /** Adds entries to the audit log, and what came of them. It cannot read or remove any. */
  'audit:add': (fn, resources) => {
    const actions = ['dynamodb:PutItem', 'dynamodb:UpdateItem'];
    allow(fn, actions, [withTable(fn, resources)], onlyKeys(leadingKeysOf('audit')));
  },
  /** Reads and writes deliveries, their subscriptions and events, and slots at hosts. No other item of the table, and no index. */
  'deliveries:attempt': (fn, resources) => {
    const names = ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'ConditionCheckItem'];
    const actions = names.map((name) => `dynamodb:${name}`);
    allow(fn, actions, [withTable(fn, resources)], onlyKeys(leadingKeysOf('webhooks')));
  },
  /** Stores events, many in a call. */
  'events:store': (fn, resources) => {
    allow(fn, ['dynamodb:BatchWriteItem'], [withTable(fn, resources)], onlyKeys(leadingKeysOfItem('event')));
  },
  'data:open': (fn, resources) => {
    allow(fn, ['kms:Decrypt'], [resources.masterKey.keyArn], ofSomeAccount);
    allow(fn, ['dynamodb:GetItem'], [withTable(fn, resources)], onlyKeys(leadingKeysOf('key-rings')));
  },
  'data:create-key': (fn, { masterKey }) => {
    allow(fn, ['kms:GenerateDataKey'], [masterKey.keyArn], ofSomeAccount);
    fn.addEnvironment('MASTER_KEY_ID', masterKey.keyArn);
  },
  'email:send': (fn, { mailing: { configurationSetName } }) => {
    const arns = ['identity/*', `configuration-set/${configurationSetName}`].map((of) => arnIn(fn.stack, 'ses', of));
    allow(fn, ['ses:SendRawEmail'], arns);
    fn.addEnvironment('MAIL_CONFIGURATION_SET', configurationSetName);
  },
  /** The addresses that emails come from require no permission, only their settings. */
  'email:know-sender': (fn) => {
    const platformEmail = settingOf(fn.node, 'PLATFORM_EMAIL');
    fn.addEnvironment('PLATFORM_EMAIL', platformEmail);
    fn.addEnvironment('PEOPLE_EMAIL', settingOf(fn.node, 'PEOPLE_EMAIL') || platformEmail);
  },
  /** Choosing the providers of texts, and reading their reports. */
  'sms:read-settings': knowing('SMS_PROVIDER'),
  'whatsapp:read-settings': knowing('WHATSAPP_PROVIDER'),
  /** AWS sends from any number, sender id or pool, because accounts choose theirs. HTTP gateways require no permission. */
  'sms:send': (fn, { texting }) => {
    allow(fn, ['sms-voice:SendTextMessage'], [arnIn(fn.stack, 'sms-voice', '*')]);
    knowing('SMS_PROVIDER', 'WEBHOOK_TARGETS')(fn);
    if (texting) fn.addEnvironment('SMS_CONFIGURATION_SET', texting.ref);
    lookingUpNames(fn);
  },
  'whatsapp:send': knowing('WHATSAPP_PROVIDER'),
  /** Links in mails and pages require only their base URL. */
  'links:make': (fn, { publicBaseUrl }) => {
    fn.addEnvironment('PUBLIC_BASE_URL', publicBaseUrl);
  },
  'requests:read': (fn, { requestLog }) => {
    allow(fn, ['logs:FilterLogEvents'], [requestLog.logGroupArn]);
    fn.addEnvironment('REQUEST_LOG_GROUP', requestLog.logGroupName);
  },
  'webhooks:call': (fn) => {
    knowing('WEBHOOK_TARGETS')(fn);
    lookingUpNames(fn);
  },
  'webhooks:know-targets': knowing('WEBHOOK_TARGETS'),
  'retries:schedule': laterOnQueue('webhook-deliveries', 'retry'),
  'retries:know': knowing('WEBHOOK_RETRY_DELAYS'),
  'sessions:open': knowing('CHECKOUT_SESSION_TTL'),
  'payments:simulate': knowing('SIM_TIMEOUT_SECONDS'),
  'gateways:call': (fn) => {
    lookingUpNames(fn);
    knowing('SSLCOMMERZ_URL', 'BKASH_URL')(fn);
  },
  /** A URL permits what its signer may do. */
  'attachments:offer': onFiles('attachments', 's3:PutObject'),
  'attachments:read': onFiles('attachments', 's3:GetObject'),
  'imports:offer': onFiles('imports', 's3:PutObject'),
  'imports:read': onFiles('imports', 's3:GetObject', 's3:DeleteObject'),
  'imports:notice': onFiles('imports', 's3:GetObject'),
  'refused-rows:read': onFiles('refused', 's3:GetObject'),
  'refused-rows:write': onFiles('refused', 's3:GetObject', 's3:PutObject'),
  'exports:write': onFiles('exports', 's3:GetObject', 's3:PutObject'),
  'exports:read': onFiles('exports', 's3:GetObject'),
  'queue:payments': onQueue('payments'),
  'queue:message-events': onQueue('message-events'),
  'queue:notices': onQueue('notices'),
  'queue:webhook-deliveries': onQueue('webhook-deliveries'),
  'queue:slow-webhook-deliveries': onQueue('slow-webhook-deliveries'),
  'queue:scheduled': onQueue('scheduled'),
  'queue:sms': onQueue('sms'),
  'queue:whatsapp': onQueue('whatsapp'),
  'queue:chores': onQueue('chores'),
  'queue:interrupted-sends': onQueue('interrupted-sends'),
  'jobs:park': (fn, { parkedJobs }) => {
    allow(fn, ['sqs:SendMessage'], [parkedJobs.queueArn]);
    // By its ARN, which other stacks import already: to go back, a deployment could not remove another export.
    const { queueUrl } = Queue.fromQueueArn(fn, parkedJobs.node.id, parkedJobs.queueArn);
    fn.addEnvironment('PARKED_JOBS_QUEUE_URL', queueUrl);
  },
  'sends:give-up': knowing('SEND_GIVE_UP_SECONDS'),
  'texts:give-up': knowing('TEXT_GIVE_UP_SECONDS'),
} as const satisfies Record<string, Grant>;

/** The permission on one area of the table. */
type AreaPower = `${Area}:read` | `${ItemArea}:write`;

export type Power = keyof typeof powers | AreaPower;

const isOwnPower = (need: Power): need is keyof typeof powers => need in powers;

/** The areas that these powers permit to read or to write. */
const areasIn = (needs: readonly Power[], kind: 'read' | 'write'): readonly Area[] =>
  areas.filter((area) => needs.some((need) => need === `${area}:${kind}`));

/**
 * Gives a function its powers. Its areas share a statement, because a batch may read from several, and a transaction write to several, and
 * one statement must permit all of it.
 */
export const empower = (fn: LambdaFunction, resources: Resources, needs: readonly Power[]): void => {
  for (const need of needs.filter(isOwnPower)) powers[need](fn, resources);
  const [read, written] = [areasIn(needs, 'read'), areasIn(needs, 'write')];
  if (read.length > 0) readTable(fn, resources, read);
  if (written.length > 0) writeTable(fn, resources, written);
};

/** The role in which EventBridge Scheduler sends jobs to a queue. */
export const scheduleRole = (stack: Stack, { queues }: Resources, name: QueueName): Role => {
  const id = `${name}-schedule-role`;
  const known = stack.node.tryFindChild(id);
  if (known instanceof Role) return known;
  const role = new Role(stack, id, { assumedBy: new ServicePrincipal('scheduler.amazonaws.com') });
  role.addToPolicy(new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [queues[name].queueArn] }));
  return role;
};

/** Lets Lambda feed a function from a queue, and lets the function set when failed jobs return. */
export const consumeQueue = (fn: LambdaFunction, { queues }: Resources, name: QueueName): void => {
  const actions = ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes', 'ChangeMessageVisibility'];
  allow(
    fn,
    actions.map((action) => `sqs:${action}`),
    [queues[name].queueArn],
  );
};

/** Lets Lambda feed a function from the table's stream. */
export const readStream = (fn: LambdaFunction, { table }: Resources): void =>
  allow(
    fn,
    ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator', 'dynamodb:ListStreams'],
    [table.tableStreamArn ?? ''],
  );

/** Lets Lambda store a stream batch whose last retry failed. */
export const keepFailedBatches = (fn: LambdaFunction, { failedBatches }: Resources): void => {
  allow(fn, ['s3:PutObject'], [failedBatches.arnForObjects('*')]);
  allow(fn, ['s3:ListBucket'], [failedBatches.bucketArn]);
};

/** Lets a function recognise the topic's messages. The subscription grants the topic's calls. */
export const knowTopic = (fn: LambdaFunction, { topics }: Resources, name: TopicName): void => {
  fn.addEnvironment('TOPIC_ARN', topics[name].topicArn);
};
