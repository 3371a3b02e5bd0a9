import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { Blueprint, MailEventsSpec, QueueSpec, RouteSpec, TableSpec } from './blueprint.ts';
import { nameOf, type Places, type Resource, resolversFor, type Template, withAddresses } from './intrinsics.ts';
import { statementSchema } from './policy.ts';

/** A resource with its name and its properties, all values resolved. */
interface Found {
  readonly name: string;
  readonly arn: string;
  readonly properties: unknown;
}

const keySchema = z
  .array(z.object({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }))
  .transform((parts) => {
    const sort = parts.find(({ KeyType }) => KeyType === 'RANGE')?.AttributeName;
    return { partition: parts[0]?.AttributeName ?? '', ...(sort !== undefined && { sort }) };
  });

const table = z.object({
  AttributeDefinitions: z.array(z.object({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N', 'B']) })),
  KeySchema: keySchema,
  GlobalSecondaryIndexes: z
    .array(
      z.object({
        IndexName: z.string(),
        KeySchema: keySchema,
        Projection: z.object({ ProjectionType: z.enum(['ALL', 'KEYS_ONLY']) }),
      }),
    )
    .default([]),
  TimeToLiveSpecification: z.object({ AttributeName: z.string() }).optional(),
  StreamSpecification: z
    .object({ StreamViewType: z.enum(['KEYS_ONLY', 'NEW_IMAGE', 'OLD_IMAGE', 'NEW_AND_OLD_IMAGES']) })
    .optional(),
});

const bucket = z.object({
  LifecycleConfiguration: z
    .object({ Rules: z.array(z.object({ Prefix: z.string().default(''), ExpirationInDays: z.number().optional() })) })
    .default({ Rules: [] }),
});

const lambda = z.object({
  Handler: z.string(),
  Code: z.object({ S3Key: z.string() }),
  Environment: z.object({ Variables: z.record(z.string(), z.coerce.string()) }).optional(),
  Timeout: z.number().default(3),
  MemorySize: z.number().default(128),
  Role: z.string(),
  LoggingConfig: z.object({ LogGroup: z.string() }),
});

const policyDocument = z.object({ Statement: z.array(statementSchema) });
const role = z.object({ Policies: z.array(z.object({ PolicyDocument: policyDocument })).default([]) });
const rolePolicy = z.object({ Roles: z.array(z.string()), PolicyDocument: policyDocument });

const integration = z.object({ IntegrationUri: z.string() });
const route = z.object({
  RouteKey: z.string(),
  Target: z.string(),
  // The HTTP API here authorizes no one: functions do.
  AuthorizationType: z.literal('NONE').default('NONE'),
});

const throttle = z
  .object({ ThrottlingRateLimit: z.number(), ThrottlingBurstLimit: z.number() })
  .transform(({ ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst }) => ({ rate, burst }));
const stage = z.object({
  DefaultRouteSettings: throttle.optional(),
  RouteSettings: z.record(z.string(), throttle).default({}),
});

const mapping = z.object({
  FunctionName: z.string(),
  EventSourceArn: z.string(),
  BatchSize: z.number().optional(),
  MaximumBatchingWindowInSeconds: z.number().default(0),
  FunctionResponseTypes: z.array(z.string()).default([]),
  ScalingConfig: z.object({ MaximumConcurrency: z.number() }).optional(),
  StartingPosition: z.enum(['LATEST', 'TRIM_HORIZON']).default('TRIM_HORIZON'),
  BisectBatchOnFunctionError: z.boolean().default(false),
  MaximumRetryAttempts: z.number().default(-1),
  MaximumRecordAgeInSeconds: z.number().default(-1),
  FilterCriteria: z.object({ Filters: z.array(z.object({ Pattern: z.string() })) }).optional(),
  DestinationConfig: z.object({ OnFailure: z.object({ Destination: z.string() }) }).optional(),
});

const schedule = z.object({
  GroupName: z.string().default('default'),
  ScheduleExpression: z.string(),
  Target: z.object({ Arn: z.string(), RoleArn: z.string(), Input: z.string() }),
});
const topic = z.object({ SignatureVersion: z.enum(['1', '2']).default('1') });
const subscription = z.object({ TopicArn: z.string(), Protocol: z.string(), Endpoint: z.string() });
const mailDestination = z.object({
  ConfigurationSetName: z.string(),
  EventDestination: z.object({
    Enabled: z.boolean().default(false),
    MatchingEventTypes: z.array(z.string()),
    SnsDestination: z.object({ TopicARN: z.string() }).optional(),
  }),
});

/** The queue attributes that the emulator implements; encryption and policies are ignored. */
const queueAttributes = [
  'VisibilityTimeout',
  'MessageRetentionPeriod',
  'DelaySeconds',
  'ReceiveMessageWaitTimeSeconds',
  'MaximumMessageSize',
  'FifoQueue',
  'ContentBasedDeduplication',
  'RedrivePolicy',
];

/** The blueprint with the addresses in its functions' environment, which are known once the parts listen. */
export const placedAt = (blueprint: Blueprint, places: Places): Blueprint => ({
  ...blueprint,
  functions: blueprint.functions.map((fn) => ({
    ...fn,
    environment: Object.fromEntries(
      Object.entries(fn.environment).map(([name, value]) => [name, withAddresses(value, places)]),
    ),
  })),
});

/** Reads every template of a cloud assembly. */
export const readBlueprint = (assembly: string): Blueprint => {
  const templates = resolversFor(readTemplates(assembly));
  const find = (type: string): Found[] =>
    templates.flatMap(({ template, resolve }) =>
      Object.entries(template.Resources)
        .filter(([, resource]) => resource.Type === type)
        .map(([logicalId, resource]) => found(template, logicalId, resource, resolve)),
    );
  const functionOfIntegration = new Map(
    find('AWS::ApiGatewayV2::Integration').map(({ name, properties }) => [
      name,
      integration.parse(properties).IntegrationUri.split(':').at(-1) ?? '',
    ]),
  );
  const [limits] = find('AWS::ApiGatewayV2::Stage').map(({ properties }) => stage.parse(properties));
  const mappings = find('AWS::Lambda::EventSourceMapping').map(({ name, properties }) => ({
    id: name,
    ...mapping.parse(properties),
  }));
  const rolePolicies = find('AWS::IAM::Policy').map(({ properties }) => rolePolicy.parse(properties));
  const subscriptions = find('AWS::SNS::Subscription')
    .map(({ properties }) => subscription.parse(properties))
    .filter(({ Protocol }) => Protocol === 'lambda');
  return {
    tables: find('AWS::DynamoDB::GlobalTable').map(tableSpec),
    queues: find('AWS::SQS::Queue').map(queueSpec),
    buckets: find('AWS::S3::Bucket').map(({ name, properties }) => ({
      name,
      expirations: bucket
        .parse(properties)
        .LifecycleConfiguration.Rules.flatMap((rule) =>
          rule.ExpirationInDays === undefined ? [] : [{ prefix: rule.Prefix, days: rule.ExpirationInDays }],
        ),
    })),
    functions: find('AWS::Lambda::Function').map(({ name, arn, properties }) => {
      const spec = lambda.parse(properties);
      return {
        name,
        arn,
        codeDirectory: join(assembly, `asset.${spec.Code.S3Key.replace(/\.zip$/, '')}`),
        handler: spec.Handler,
        environment: spec.Environment?.Variables ?? {},
        timeoutSeconds: spec.Timeout,
        memoryMegabytes: spec.MemorySize,
        roleArn: spec.Role,
        logGroup: spec.LoggingConfig.LogGroup,
      };
    }),
    roles: find('AWS::IAM::Role').map(({ name, arn, properties }) => {
      const attached = rolePolicies.filter(({ Roles }) => Roles.includes(name));
      const documents = [...role.parse(properties).Policies, ...attached].map(({ PolicyDocument }) => PolicyDocument);
      return { name, arn, statements: documents.flatMap(({ Statement }) => Statement) };
    }),
    routes: find('AWS::ApiGatewayV2::Route').map(({ properties }): RouteSpec => {
      const { RouteKey, Target } = route.parse(properties);
      const functionName = functionOfIntegration.get(Target.replace('integrations/', ''));
      if (functionName === undefined) throw new Error(`The route ${RouteKey} leads nowhere`);
      const limit = limits?.RouteSettings[RouteKey] ?? limits?.DefaultRouteSettings;
      return { key: RouteKey, functionName, ...(limit && { throttle: limit }) };
    }),
    queueMappings: mappings
      .filter(({ EventSourceArn }) => EventSourceArn.includes(':sqs:'))
      .map((one) => ({
        ...commonOf(one),
        queueArn: one.EventSourceArn,
        ...(one.ScalingConfig && { maximumConcurrency: one.ScalingConfig.MaximumConcurrency }),
      })),
    streamMappings: mappings
      .filter(({ EventSourceArn }) => EventSourceArn.includes('/stream/'))
      .map((one) => ({
        ...commonOf(one),
        tableName: one.EventSourceArn.split('/')[1] ?? '',
        startingPosition: one.StartingPosition,
        bisectOnError: one.BisectBatchOnFunctionError,
        maximumRetryAttempts: one.MaximumRetryAttempts,
        maximumRecordAgeSeconds: one.MaximumRecordAgeInSeconds,
        filters: one.FilterCriteria?.Filters.map(({ Pattern }): unknown => JSON.parse(Pattern)) ?? [],
        ...(one.DestinationConfig && {
          onFailureBucket: one.DestinationConfig.OnFailure.Destination.replace(/^.*:/, ''),
        }),
      })),
    topics: find('AWS::SNS::Topic').map(({ arn, properties }) => ({
      arn,
      signatureVersion: topic.parse(properties).SignatureVersion,
      functionArns: subscriptions.filter(({ TopicArn }) => TopicArn === arn).map(({ Endpoint }) => Endpoint),
    })),
    schedules: find('AWS::Scheduler::Schedule').map(({ name, properties }) => {
      const { GroupName: group, ScheduleExpression: expression, Target } = schedule.parse(properties);
      return { name, group, expression, targetArn: Target.Arn, roleArn: Target.RoleArn, input: Target.Input };
    }),
    scheduleGroups: find('AWS::Scheduler::ScheduleGroup').map(({ name }) => name),
    mailEvents: find('AWS::SES::ConfigurationSetEventDestination').flatMap(mailEventsSpec),
  };
};

const mailEventsSpec = ({ properties }: Found): MailEventsSpec[] => {
  const { ConfigurationSetName: configurationSet, EventDestination } = mailDestination.parse(properties);
  const { Enabled, MatchingEventTypes: eventTypes, SnsDestination } = EventDestination;
  return Enabled && SnsDestination ? [{ configurationSet, eventTypes, topicArn: SnsDestination.TopicARN }] : [];
};

const readTemplates = (assembly: string): Template[] =>
  readdirSync(assembly)
    .filter((file) => file.endsWith('.template.json'))
    .map((file) => ({
      ...JSON.parse(readFileSync(join(assembly, file), 'utf8')),
      stack: file.replace('.template.json', ''),
    }));

const found = (
  template: Template,
  logicalId: string,
  resource: Resource,
  resolve: (value: unknown) => unknown,
): Found => ({
  name: nameOf(template.stack, logicalId, resource),
  arn: String(resolve({ 'Fn::GetAtt': [logicalId, 'Arn'] })),
  properties: resolve(resource.Properties ?? {}),
});

const tableSpec = ({ name, arn, properties }: Found): TableSpec => {
  const spec = table.parse(properties);
  return {
    name,
    arn,
    attributes: spec.AttributeDefinitions.map(({ AttributeName, AttributeType }) => ({
      name: AttributeName,
      type: AttributeType,
    })),
    key: spec.KeySchema,
    indexes: spec.GlobalSecondaryIndexes.map(({ IndexName, KeySchema, Projection }) => ({
      name: IndexName,
      key: KeySchema,
      projection: Projection.ProjectionType,
    })),
    ...(spec.TimeToLiveSpecification && { ttlAttribute: spec.TimeToLiveSpecification.AttributeName }),
    ...(spec.StreamSpecification && { streamView: spec.StreamSpecification.StreamViewType }),
  };
};

const queueSpec = ({ name, arn, properties }: Found): QueueSpec => {
  const given = z.record(z.string(), z.unknown()).parse(properties);
  const attributes = queueAttributes
    .filter((attribute) => given[attribute] !== undefined)
    .map((attribute) => [
      attribute,
      typeof given[attribute] === 'object' ? JSON.stringify(given[attribute]) : String(given[attribute]),
    ]);
  return { name, arn, attributes: Object.fromEntries(attributes) };
};

const commonOf = (one: { id: string } & z.output<typeof mapping>) => ({
  id: one.id,
  functionName: one.FunctionName,
  batchSize: one.BatchSize ?? (one.EventSourceArn.includes(':sqs:') ? 10 : 100),
  batchWindowSeconds: one.MaximumBatchingWindowInSeconds,
  reportBatchItemFailures: one.FunctionResponseTypes.includes('ReportBatchItemFailures'),
});
