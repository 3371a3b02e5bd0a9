import type { Statement } from './policy.ts';

/**
 * The resources of the synthesized CloudFormation templates, with every intrinsic function resolved to a local value.
 * The local stack runs only these: a resource that is not in a template does not exist here either.
 */
export interface Blueprint {
  readonly tables: readonly TableSpec[];
  readonly queues: readonly QueueSpec[];
  readonly buckets: readonly BucketSpec[];
  readonly functions: readonly FunctionSpec[];
  readonly roles: readonly RoleSpec[];
  readonly routes: readonly RouteSpec[];
  readonly queueMappings: readonly QueueMappingSpec[];
  readonly streamMappings: readonly StreamMappingSpec[];
  readonly topics: readonly TopicSpec[];
  readonly schedules: readonly ScheduleSpec[];
  readonly scheduleGroups: readonly string[];
  readonly mailEvents: readonly MailEventsSpec[];
}

/** `AWS::DynamoDB::GlobalTable` or `AWS::DynamoDB::Table`, with the names of the CreateTable call. */
export interface TableSpec {
  readonly name: string;
  readonly arn: string;
  readonly attributes: readonly { readonly name: string; readonly type: 'S' | 'N' | 'B' }[];
  readonly key: KeySpec;
  readonly indexes: readonly IndexSpec[];
  readonly ttlAttribute?: string;
  readonly streamView?: 'KEYS_ONLY' | 'NEW_IMAGE' | 'OLD_IMAGE' | 'NEW_AND_OLD_IMAGES';
}

/** It has all attributes of an item, or its keys only. */
export interface IndexSpec {
  readonly name: string;
  readonly key: KeySpec;
  readonly projection: 'ALL' | 'KEYS_ONLY';
}

export interface KeySpec {
  readonly partition: string;
  readonly sort?: string;
}

/** `AWS::S3::Bucket`: its lifecycle rules that delete objects. */
export interface BucketSpec {
  readonly name: string;
  readonly expirations: readonly { readonly prefix: string; readonly days: number }[];
}

/** `AWS::SQS::Queue`. `attributes` are the strings of CreateQueue (`VisibilityTimeout`, `RedrivePolicy`, …). */
export interface QueueSpec {
  readonly name: string;
  readonly arn: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** `AWS::Lambda::Function`. `environment` is exactly the template's; endpoints and credentials are added when it runs. */
export interface FunctionSpec {
  readonly name: string;
  readonly arn: string;
  /** The folder that would be uploaded, and `file.export` in it, as in the template's `Handler`. */
  readonly codeDirectory: string;
  readonly handler: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  readonly memoryMegabytes: number;
  readonly roleArn: string;
  readonly logGroup: string;
}

/** `AWS::IAM::Role` with the statements of its own policies and of each `AWS::IAM::Policy` for it. */
export interface RoleSpec {
  readonly name: string;
  readonly arn: string;
  readonly statements: readonly Statement[];
}

/** `AWS::ApiGatewayV2::Route`: `POST /api/v1/messages`, `GET /x/{id}`, `ANY /y/{proxy+}` or `$default`. */
export interface RouteSpec {
  readonly key: string;
  readonly functionName: string;
  /** Its own limit or that of `AWS::ApiGatewayV2::Stage`: requests a second, and how many may come at once. */
  readonly throttle?: { readonly rate: number; readonly burst: number };
}

/** `AWS::Lambda::EventSourceMapping` of a queue. */
export interface QueueMappingSpec {
  readonly id: string;
  readonly functionName: string;
  readonly queueArn: string;
  readonly batchSize: number;
  readonly batchWindowSeconds: number;
  readonly reportBatchItemFailures: boolean;
  /** `ScalingConfig.MaximumConcurrency`. */
  readonly maximumConcurrency?: number;
}

/** `AWS::Lambda::EventSourceMapping` of a table's stream. -1 means no limit, as in CloudFormation. */
export interface StreamMappingSpec {
  readonly id: string;
  readonly functionName: string;
  readonly tableName: string;
  readonly batchSize: number;
  readonly batchWindowSeconds: number;
  readonly reportBatchItemFailures: boolean;
  readonly startingPosition: 'LATEST' | 'TRIM_HORIZON';
  readonly bisectOnError: boolean;
  readonly maximumRetryAttempts: number;
  readonly maximumRecordAgeSeconds: number;
  /** The parsed `Pattern` strings of `FilterCriteria`. A record passes when any of them matches, or when there are none. */
  readonly filters: readonly unknown[];
  /** Stores whole batches that were given up. */
  readonly onFailureBucket?: string;
}

/** `AWS::Scheduler::Schedule` with a rate expression. */
export interface ScheduleSpec {
  readonly name: string;
  readonly group: string;
  /** `rate(1 hour)`. */
  readonly expression: string;
  readonly targetArn: string;
  readonly roleArn: string;
  readonly input: string;
}

/** `AWS::SNS::Topic` with the functions of its `AWS::SNS::Subscription`s. */
export interface TopicSpec {
  readonly arn: string;
  readonly signatureVersion: '1' | '2';
  readonly functionArns: readonly string[];
}

/** `AWS::SES::ConfigurationSetEventDestination` with a topic. */
export interface MailEventsSpec {
  readonly configurationSet: string;
  /** As in the template: `delivery`, `renderingFailure`, … */
  readonly eventTypes: readonly string[];
  readonly topicArn: string;
}
