import { CfnOutput, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AttributeType, Billing, StreamViewType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Key } from 'aws-cdk-lib/aws-kms';
import { ConfigurationSet, EmailSendingEvent, EventDestination } from 'aws-cdk-lib/aws-ses';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { World } from '../powers.ts';
import { type QueueName, queues } from '../workers.ts';

/** AWS's advice for event source mappings: six times the function's timeout. */
const visibilityTimeoutSeconds = 6 * 25;

/** All that SES tells about a mail. */
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

/** What there is before the API has an address. */
export type StoredWorld = Omit<World, 'publicBaseUrl'>;

/** What outlives every deployment: the table, the key that seals accounts' keys, the queues, the news of mail. */
export class DataStack extends Stack {
  readonly world: StoredWorld;

  constructor(scope: Construct, id: string, { isProduction }: { readonly isProduction: boolean }) {
    super(scope, id);
    const removalPolicy = isProduction ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
    const table = new TableV2(this, 'table', {
      partitionKey: { name: 'PK', type: AttributeType.STRING },
      sortKey: { name: 'SK', type: AttributeType.STRING },
      globalSecondaryIndexes: [
        {
          indexName: 'GSI1',
          partitionKey: { name: 'GSI1PK', type: AttributeType.STRING },
          sortKey: { name: 'GSI1SK', type: AttributeType.STRING },
        },
      ],
      billing: Billing.onDemand(),
      timeToLiveAttribute: 'expiresAt',
      dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: isProduction,
      removalPolicy,
    });
    const masterKey = new Key(this, 'master-key', { enableKeyRotation: true, removalPolicy });
    const deadLetters = forEachQueue((name) => buildDeadLetterQueue(this, `${name}-dead-letters`));
    const work = forEachQueue((name) => this.buildQueue(name, deadLetters[name]));
    const topics = { 'mail-events': new Topic(this, 'mail-events', { enforceSSL: true, signatureVersion: '2' }) };
    const mailing = new ConfigurationSet(this, 'mailing');
    mailing.addEventDestination('to-mail-events', {
      destination: EventDestination.snsTopic(topics['mail-events']),
      events: mailEvents,
    });
    this.world = { table, masterKey, queues: work, deadLetters, topics, mailing };
    new CfnOutput(this, 'account-traffic-url', { value: work['account-traffic'].queueUrl });
  }

  private buildQueue(name: QueueName, deadLetters: Queue): Queue {
    return new Queue(this, name, {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      visibilityTimeout: Duration.seconds(visibilityTimeoutSeconds),
      retentionPeriod: Duration.days(14),
      deadLetterQueue: { maxReceiveCount: queues[name].tries, queue: deadLetters },
    });
  }
}

const queueNames = Object.keys(queues) as QueueName[];

const forEachQueue = <T>(build: (name: QueueName) => T) =>
  Object.fromEntries(queueNames.map((name) => [name, build(name)])) as Record<QueueName, T>;

/** Where work waits that failed too often; fourteen days is the longest that SQS keeps anything. */
export const buildDeadLetterQueue = (stack: Stack, id: string): Queue =>
  new Queue(stack, id, {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  });
