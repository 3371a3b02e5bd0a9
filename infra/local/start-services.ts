import type { Blueprint } from './blueprint.ts';
import type { Checkpoints } from './checkpoints.ts';
import { clockRoutes } from './clock-routes.ts';
import type { Opened } from './closers.ts';
import { declareSchedules } from './declare-schedules.ts';
import { startDynamodb } from './emulators/dynamodb.ts';
import { startDynamodbFront } from './emulators/dynamodb-front.ts';
import { startDynamodbLimits } from './emulators/dynamodb-limits.ts';
import { startKms } from './emulators/kms.ts';
import { startLambda } from './emulators/lambda.ts';
import { startLogs } from './emulators/logs.ts';
import { openPhones } from './emulators/phones.ts';
import { openRate } from './emulators/rate.ts';
import { startS3 } from './emulators/s3.ts';
import { startScheduler } from './emulators/scheduler.ts';
import { sesSendRate, startSes } from './emulators/ses.ts';
import { startSns } from './emulators/sns.ts';
import { startSqs } from './emulators/sqs.ts';
import { playInbound } from './inbound.ts';
import type { TakeReply } from './inbox/phones.ts';
import type { openKeptPorts } from './kept-ports.ts';
import { mailEvents } from './mail-events.ts';
import { openMappingSwitches } from './mapping-switches.ts';
import type { AwsLimits } from './options.ts';
import type { Permissions } from './permissions.ts';
import type { openQuietMoments } from './quiet-moment.ts';
import { placedAt } from './read-blueprint.ts';
import { findRunningStack } from './running-stack.ts';
import { scheduleTargets } from './schedule-targets.ts';
import type { timeSkip } from './time-skip.ts';

/** The inbox uses the first free one of these ports. */
const inboxPorts = Array.from({ length: 100 }, (_, n) => 8005 + n);

/** Quotas of a region, for the smaller ones of AWS's regions. */
const kmsCallsPerSecond = 5_500;
const schedulesPerSecond = 1_000;

interface ServicesOptions {
  readonly dataDirectory: string;
  readonly awsLimits: AwsLimits | undefined;
  readonly logDirectory: string;
  /** The templates, before the URLs are known. */
  readonly plan: Blueprint;
  readonly permissions: Permissions;
  readonly ports: ReturnType<typeof openKeptPorts>;
  readonly checkpoints: Checkpoints;
  readonly apiUrl: string;
  readonly moments: Pick<ReturnType<typeof openQuietMoments>, 'foreground' | 'background'>;
  readonly skip: ReturnType<typeof timeSkip>;
  readonly onLost: (reason: string) => void;
}

/** Starts the emulators of all services but API Gateway. What they call of functions waits until these run. */
export const startServices = async (opened: Opened, options: ServicesOptions) => {
  const { dataDirectory, logDirectory, awsLimits, plan, permissions, ports, apiUrl, moments } = options;
  const { foreground, background: invoke } = moments;
  const rateOf = (perSecond: number) => awsLimits && { rate: openRate(perSecond / awsLimits.factor) };

  const sns = opened(await startSns({ topics: plan.topics, invoke }));
  const phones = opened(openPhones({ dataDirectory, apiUrl, takeReply: repliesTo(dataDirectory) }));
  const [kms, ses, dynamodb, sqs, s3] = await Promise.all([
    startKms({ dataDirectory, permissions, ...rateOf(kmsCallsPerSecond) }),
    startSes({
      dataDirectory,
      ports: [...(ports.last.inbox ? [ports.last.inbox] : []), ...inboxPorts],
      onNotification: mailEvents(plan.mailEvents, sns),
      routes: { ...phones.routes, ...clockRoutes(options.skip, dataDirectory) },
      playText: phones.play,
      permissions,
      ...(awsLimits && { rate: openRate(sesSendRate) }),
    }),
    startDynamodb({
      dataDirectory,
      tables: plan.tables,
      onExit: options.onLost,
      passed: passedIn(plan, options.checkpoints),
    }),
    startSqs({ dataDirectory, queues: plan.queues, permissions }),
    startS3({ dataDirectory, buckets: plan.buckets, permissions, port: ports.last.files }),
  ]);
  for (const part of [kms, ses, dynamodb, sqs, s3]) opened<{ close(): unknown }>(part);
  const table = awsLimits
    ? opened(await startDynamodbLimits({ url: dynamodb.url, tables: plan.tables, ...awsLimits }))
    : dynamodb;
  const guarded = opened(await startDynamodbFront({ url: table.url, tables: plan.tables, permissions }));
  ports.keep({ api: apiUrl, inbox: ses.url, files: s3.url });
  const blueprint = placedAt(plan, { queueUrl: sqs.queueUrl, apiUrl });

  const targets = scheduleTargets({ sqs });
  const scheduler = opened(
    await startScheduler({
      dataDirectory,
      groups: plan.scheduleGroups,
      deliver: targets.deliver,
      permissions,
      ...rateOf(schedulesPerSecond),
    }),
  );
  await declareSchedules(scheduler.url, blueprint.schedules);
  const logs = opened(await startLogs({ logDirectory, functions: plan.functions, permissions }));
  const switches = openMappingSwitches();
  const lambda = opened(await startLambda({ invoke: foreground, functions: blueprint.functions, mappings: switches }));
  const endpoints = {
    dynamodb: guarded.url,
    sqs: sqs.url,
    s3: s3.url,
    lambda: lambda.url,
    ses: ses.url,
    sns: sns.url,
    scheduler: scheduler.url,
    kms: kms.url,
    cloudwatch_logs: logs.url,
  };
  return { endpoints, blueprint, dynamodb, table, writes: guarded.writes, sqs, scheduler, targets, switches };
};

export type Services = Awaited<ReturnType<typeof startServices>>;

/** How many mappings of a table have passed a shard. */
const passedIn =
  ({ streamMappings }: Blueprint, checkpoints: Checkpoints) =>
  (tableName: string, shard: string): number =>
    checkpoints.passed(
      streamMappings.flatMap((spec) => (spec.tableName === tableName ? spec.id : [])),
      shard,
    );

/** A phone's text goes to the account that wrote to it, or else to the demo account. */
const repliesTo =
  (dataDirectory: string): TakeReply =>
  (inbound, account) => {
    const stack = findRunningStack(dataDirectory);
    return playInbound(stack, account ?? stack.accountId, inbound);
  };
