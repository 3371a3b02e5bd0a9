import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import type { ConfigurationSet } from 'aws-cdk-lib/aws-ses';
import type { CfnConfigurationSet } from 'aws-cdk-lib/aws-smsvoice';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { QueueName, TopicName } from './queues.ts';

/** The table of the deployment: its own, or one that was restored in place of it. */
export interface ServingTable {
  readonly tableName: string;
  readonly tableArn: string;
  readonly tableStreamArn?: string | undefined;
}

/** What is before the API. */
export interface BuiltEdge {
  readonly key: string;
  /** What clients ask. */
  readonly host: string;
  /** What the records of a domain lead to. */
  readonly dnsName: string;
}

/** The resources that powers grant access to. */
export interface Resources {
  readonly table: ServingTable;
  readonly masterKey: IKey;
  readonly queues: Readonly<Record<QueueName, Queue>>;
  /** Takes what failed on its last try. */
  readonly parkedJobs: Queue;
  /** Lambda stores whole stream batches here after their last retry failed. */
  readonly failedBatches: Bucket;
  /** What accounts upload, and what is made for them to download. */
  readonly files: Bucket;
  readonly topics: Readonly<Record<TopicName, Topic>>;
  /** Notifies of alarms that begin or end. */
  readonly alarms: Topic;
  /** The log of all functions that answer requests, so that one search finds the requests of an account. */
  readonly requestLog: LogGroup;
  /** Used for all mail; it defines which mail events SES publishes, and where. */
  readonly mailing: ConfigurationSet;
  /** Used for all sms sent by AWS; it defines which sms events AWS publishes, and where. A deployment of another provider has none. */
  readonly texting?: CfnConfigurationSet;
  /** The schedules of this stage. */
  readonly schedules: CfnScheduleGroup;
  /** What is before the API, if anything is. */
  readonly edge?: BuiltEdge | undefined;
  /** The base of links in mails and pages. */
  readonly publicBaseUrl: string;
}
