import { Annotations, CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { AttributeType, Billing, ProjectionType, StreamViewType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { BlockPublicAccess, Bucket, BucketEncryption, CfnBucket, type LifecycleRule } from 'aws-cdk-lib/aws-s3';
import { CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import { ConfigurationSet, EmailSendingEvent, EventDestination, SuppressionReasons } from 'aws-cdk-lib/aws-ses';
import { CfnConfigurationSet } from 'aws-cdk-lib/aws-smsvoice';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { index, slimIndex } from '../../shared/table/keys.ts';
import { fileFolders } from '../../shared/table/transfers/file-keys.ts';
import { buildLogGroup } from '../build-function.ts';
import { sendForDomain } from '../mail-domain.ts';
import { parkedJobs, type QueueName, queueRow, queues, type TopicName } from '../queues.ts';
import type { Resources, ServingTable } from '../resources.ts';
import { settingOf, warmThroughputOf } from '../settings.ts';
import { letServicePublish } from '../topic-policies.ts';

/**
 * AWS recommends six times the function's timeout for event source mappings. Eight tries of a function that is throttled or cannot start, which
 * sets no delays of its own, take twenty minutes then: time to go back to the release before.
 */
const visibilityTimeoutSeconds = 6 * 25;

/** All mail events that SES publishes. */
const mailEvents = [
  EmailSendingEvent.SEND,
  EmailSendingEvent.DELIVERY,
  EmailSendingEvent.BOUNCE,
  EmailSendingEvent.COMPLAINT,
  EmailSendingEvent.REJECT,
  EmailSendingEvent.OPEN,
  EmailSendingEvent.CLICK,
  EmailSendingEvent.DELIVERY_DELAY,
  EmailSendingEvent.RENDERING_FAILURE,
];

/** The resources that exist before the API has an address. */
export type StoredResources = Omit<Resources, 'publicBaseUrl'>;

/** What CDK calls the export of the stage's own key. */
const ownKeyExport = 'ExportsOutputFnGetAttmasterkeyAF5B166AArn55707248';

/** The resources that outlive every deployment: the table, the encryption key, the queues, failed work, the topics. */
export class DataStack extends Stack {
  readonly resources: StoredResources;

  constructor(scope: Construct, id: string, { isProduction }: { readonly isProduction: boolean }) {
    super(scope, id);
    const warmThroughput = isProduction ? warmThroughputOf(this.node) : undefined;
    // Its price is paid once, when it is raised.
    const warmed = warmThroughput && { warmThroughput };
    const ownTable = new TableV2(this, 'table', {
      partitionKey: { name: 'PK', type: AttributeType.STRING },
      sortKey: { name: 'SK', type: AttributeType.STRING },
      globalSecondaryIndexes: [
        {
          indexName: index,
          partitionKey: { name: 'GSI1PK', type: AttributeType.STRING },
          sortKey: { name: 'GSI1SK', type: AttributeType.STRING },
          ...warmed,
        },
        {
          indexName: slimIndex,
          partitionKey: { name: 'GSI2PK', type: AttributeType.STRING },
          sortKey: { name: 'GSI2SK', type: AttributeType.STRING },
          projectionType: ProjectionType.KEYS_ONLY,
          ...warmed,
        },
      ],
      billing: Billing.onDemand(),
      timeToLiveAttribute: 'expiresAt',
      ...warmed,
      dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: isProduction,
    });
    const table: ServingTable = this.restoredTable(ownTable) ?? ownTable;
    const keptKey = settingOf(this.node, 'MASTER_KEY');
    const masterKey = keptKey === '' ? new Key(this, 'master-key', { enableKeyRotation: true }) : this.keptKey(keptKey);
    const parked = buildDeadLetterQueue(this, parkedJobs);
    const work = this.buildQueues(parked);
    const failedBatches = buildBucket(this, 'failed-batches', [{ expiration: Duration.days(90) }]);
    this.noticeBatches(failedBatches, parked);
    const files = buildBucket(this, 'files', [
      { expiration: Duration.days(7), abortIncompleteMultipartUploadAfter: Duration.days(7) },
      { prefix: `${fileFolders.attachments}/`, expiration: Duration.days(1) },
    ]);
    const topics = { 'mail-events': this.buildTopic('mail-events'), 'sms-events': this.buildTopic('sms-events') };
    // Delivery reports and inbound sms of End User Messaging.
    letServicePublish(topics['sms-events'], 'sms-voice');
    // The list is of all accounts here: who reported the mail of one of them as spam may want that of another.
    const mailing = new ConfigurationSet(this, 'mailing', { suppressionReasons: SuppressionReasons.BOUNCES_ONLY });
    mailing.addEventDestination('to-mail-events', {
      destination: EventDestination.snsTopic(topics['mail-events']),
      events: mailEvents,
    });
    const alarms = this.buildAlarmTopic(isProduction);
    this.resources = {
      alarms,
      table,
      masterKey,
      queues: work,
      parkedJobs: parked,
      failedBatches,
      files,
      topics,
      mailing,
      schedules: new CfnScheduleGroup(this, 'schedules'),
      ...(settingOf(this.node, 'SMS_PROVIDER') === 'aws' && { texting: this.buildTexting(topics['sms-events']) }),
      requestLog: buildLogGroup(this, 'requests-log'),
    };
    sendForDomain(this);
    new CfnOutput(this, 'account-traffic-url', { value: work['account-traffic'].queueUrl });
    // `npm run operators` finds them here.
    new CfnOutput(this, 'table-name', { value: table.tableName });
    new CfnOutput(this, 'master-key-arn', { value: keptKey || masterKey.keyArn });
    // An operator sets this as the two-way channel of a number.
    new CfnOutput(this, 'sms-events-arn', { value: topics['sms-events'].topicArn });
  }

  /**
   * The table that serves after a restore; the own one stays. Functions import an export with its name, and CloudFormation removes none that is in
   * use: it refuses a deployment that leaves the table out, which would have a former one serve, and send and refund again what waits there.
   */
  private restoredTable(own: TableV2): ServingTable | undefined {
    const restored = settingOf(this.node, 'RESTORED_TABLE').split(',').filter(Boolean);
    const arnOf = (resourceName: string) => this.formatArn({ service: 'dynamodb', resource: 'table', resourceName });
    const tables = restored.map((stream) => {
      const [tableName = ''] = stream.split('/');
      const name = `${this.stackName}:restored-${tableName.replaceAll(/[_.]/g, '-')}`;
      return { tableName, tableArn: this.exportValue(arnOf(tableName), { name }), tableStreamArn: arnOf(stream) };
    });
    // Other stacks import these until they are deployed, after this one.
    if (tables.length > 0)
      for (const value of [own.tableName, own.tableArn, own.tableStreamArn]) this.exportValue(value);
    return tables.at(-1);
  }

  /**
   * The key of a deployment of before, exported as a key of the stage's own would be. CloudFormation changes no export that is in use, so it refuses
   * the setting where there is data under an own key, and a deployment that leaves it out: none of that data could be read any more.
   */
  private keptKey(arn: string): IKey {
    const imported = this.exportValue(arn, { name: `${this.stackName}:${ownKeyExport}` });
    return Key.fromKeyArn(this, 'kept-key', imported);
  }

  private buildTexting(events: Topic): CfnConfigurationSet {
    const texting = new CfnConfigurationSet(this, 'texting', {
      eventDestinations: [
        {
          eventDestinationName: 'to-sms-events',
          enabled: true,
          matchingEventTypes: ['TEXT_ALL'],
          snsDestination: { topicArn: events.topicArn },
        },
      ],
    });
    // AWS checks at creation whether it may publish there.
    texting.node.addDependency(events);
    return texting;
  }

  private buildQueues(parked: Queue): Record<QueueName, Queue> {
    const built: Partial<Record<QueueName, Queue>> = {};
    const queueOf = (name: QueueName): Queue => {
      const { tries, afterwards } = queueRow(name);
      built[name] ??= new Queue(this, name, {
        encryption: QueueEncryption.SQS_MANAGED,
        enforceSSL: true,
        visibilityTimeout: Duration.seconds(visibilityTimeoutSeconds),
        retentionPeriod: Duration.days(14),
        deadLetterQueue: {
          maxReceiveCount: tries,
          queue: afterwards ? queueOf(afterwards) : parked,
        },
      });
      return built[name];
    };
    const names = Object.keys(queues) as QueueName[];
    return Object.fromEntries(names.map((name) => [name, queueOf(name)])) as Record<QueueName, Queue>;
  }

  /** Without the key, which may be what the alarms are about; their texts name no one. */
  private buildAlarmTopic(isProduction: boolean): Topic {
    const alarms = this.buildTopic('alarms');
    letServicePublish(alarms, 'cloudwatch');
    const address = settingOf(this.node, 'ALARM_EMAIL');
    if (address) alarms.addSubscription(new EmailSubscription(address));
    else if (isProduction)
      Annotations.of(this).addWarningV2('alarms:nobody', 'The alarms have no recipient: set ALARM_EMAIL.');
    return alarms;
  }

  /** Parks a notice of each batch that is stored, so that one alarm covers parked jobs and batches. */
  private noticeBatches(failedBatches: Bucket, parked: Queue): void {
    const { node, bucketName } = failedBatches;
    // Not `eventBridgeEnabled`, which CDK switches on by a function of its own.
    if (node.defaultChild instanceof CfnBucket)
      node.defaultChild.notificationConfiguration = { eventBridgeConfiguration: { eventBridgeEnabled: true } };
    new Rule(this, 'stored-batches', {
      eventPattern: { source: ['aws.s3'], detailType: ['Object Created'], detail: { bucket: { name: [bucketName] } } },
      targets: [new SqsQueue(parked)],
    });
  }

  private buildTopic(name: TopicName | 'alarms'): Topic {
    return new Topic(this, name, { enforceSSL: true, signatureVersion: '2' });
  }
}

/** A private bucket, whose files end by these rules. */
const buildBucket = (stack: Stack, id: string, lifecycleRules: LifecycleRule[]): Bucket =>
  new Bucket(stack, id, {
    encryption: BucketEncryption.S3_MANAGED,
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    enforceSSL: true,
    lifecycleRules,
  });

/** A queue for work whose last retry failed. Fourteen days is SQS's maximum retention. */
const buildDeadLetterQueue = (stack: Stack, id: string): Queue =>
  new Queue(stack, id, {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  });
