import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { accountOfRequest } from './account-of-request.ts';
import type { Blueprint } from './blueprint.ts';
import type { Bundles } from './bundles.ts';
import { openCheckpoints } from './checkpoints.ts';
import { clockRoutes } from './clock-routes.ts';
import { assemblyFolder, takeDataDirectory } from './data-directory.ts';
import { declareSchedules } from './declare-schedules.ts';
import { seedOperatorToken } from './demo-people.ts';
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
import { environmentFor } from './environment.ts';
import { type Functions, startFunctions } from './functions.ts';
import { type Answered, startHttpApi } from './http-api.ts';
import { requireFreePort } from './http-api-server.ts';
import { playInbound } from './inbound.ts';
import type { TakeReply } from './inbox/phones.ts';
import { openKeptPorts } from './kept-ports.ts';
import { mailEvents } from './mail-events.ts';
import { openMappingSwitches } from './mapping-switches.ts';
import type { StackOptions } from './options.ts';
import { checkFeeds, permissionsOf } from './permissions.ts';
import { runQueueMapping } from './queue-mapping.ts';
import { openQuietMoments } from './quiet-moment.ts';
import { readBlueprint } from './read-blueprint.ts';
import { findRunningStack, stackFile } from './running-stack.ts';
import { scheduleTargets } from './schedule-targets.ts';
import { openStackClock } from './stack-clock.ts';
import { runStreamMapping } from './stream-mapping.ts';
import { type Say, synthesize } from './synth.ts';
import type { AnsweredRequest } from './terminal.ts';
import { type Skipped, timeSkip } from './time-skip.ts';

/** The inbox uses the first free one of these ports. */
const inboxPorts = Array.from({ length: 100 }, (_, n) => 8005 + n);

/** Above API Gateway's limit, so that attachments of some more than 7 MB are refused by the API itself, in its own words. */
const mostBodyBytes = 32 * 1024 * 1024;

/** Quotas of a region, for the smaller ones of AWS's regions. */
const kmsCallsPerSecond = 5_500;
const schedulesPerSecond = 1_000;

/** What is reported while the stack runs. */
export interface StackNews {
  onRequest?(request: AnsweredRequest): void;
  onSkip?(skipped: Skipped): void;
  /** A part has ended that the stack cannot do without, also while it starts. */
  onLost?(reason: string): void;
}

export interface Stack {
  readonly url: string;
  readonly inboxUrl: string;
  readonly adminToken: string;
  readonly assembly: string;
  readonly blueprint: Blueprint;
  readonly bundles: Bundles;
  readonly aws: Readonly<
    Record<'dynamodb' | 'sqs' | 's3' | 'lambda' | 'ses' | 'sns' | 'scheduler' | 'kms' | 'table', string>
  >;
  invoke: ReturnType<typeof startFunctions>['invoke'];
  replaceCode(functionName: string): void;
  close(): Promise<void>;
}

/**
 * Runs all resources of the templates on this machine.
 * @throws StartFailure
 */
export const startStack = async (
  { port, dataDirectory, isFresh, settings, awsLimits }: StackOptions,
  say: Say = () => undefined,
  { onRequest, onSkip, onLost = () => undefined }: StackNews = {},
): Promise<Stack> => {
  const closers: (() => unknown)[] = [];
  const opened = <T>(part: T, close: (part: T) => unknown): T => {
    closers.push(() => close(part));
    return part;
  };
  const close = async (): Promise<void> => {
    for (const closeOne of closers.splice(0).reverse()) await closeOne();
  };

  try {
    opened(takeDataDirectory(dataDirectory, { isFresh }), (directory) => directory.release());
    const clock = opened(openStackClock(dataDirectory), (part) => part.close());
    // The file of a killed stack would make readers believe that this one is ready.
    rmSync(join(dataDirectory, stackFile), { force: true });
    // The synthesis would be a long wait for this.
    await requireFreePort(port);
    const assembly = join(dataDirectory, assemblyFolder);
    const rateOf = (perSecond: number) => awsLimits && { rate: openRate(perSecond / awsLimits.factor) };
    const bundles = await synthesize(assembly, settings, say);
    say('Starting the emulators');
    const plan = readBlueprint(assembly, { queueUrl: (name) => name, apiUrl: '' });
    const permissions = permissionsOf(plan);
    checkFeeds(plan, permissions);

    // Calls of a function wait until functions run.
    const running = Promise.withResolvers<Functions>();
    const moments = openQuietMoments(async (...call) => (await running.promise).invoke(...call));
    const { foreground, background: invoke } = moments;
    const skipping = Promise.withResolvers<ReturnType<typeof timeSkip>>();
    const skip: ReturnType<typeof timeSkip> = async (from) => {
      const skipped = await (await skipping.promise)(from);
      if (skipped) onSkip?.(skipped);
      return skipped;
    };
    const ports = openKeptPorts(dataDirectory);
    const logDirectory = join(dataDirectory, 'logs');
    const accountOf = accountOfRequest(logDirectory);
    const onAnswered = (answered: Answered): void =>
      onRequest?.({
        ...answered,
        accountId: answered.functionName && accountOf(answered.functionName, answered.requestId),
      });
    const listen = (at: number) =>
      startHttpApi({
        port: at,
        routes: plan.routes,
        invoke: foreground,
        ...(awsLimits ? {} : { mostBodyBytes }),
        ...(onRequest && { onAnswered }),
      });
    const httpApi = opened(
      port === 0 && ports.last.api ? await listen(ports.last.api).catch(() => listen(0)) : await listen(port),
      (part) => part.close(),
    );
    const sns = opened(await startSns({ topics: plan.topics, invoke }), (part) => part.close());
    const phones = opened(
      openPhones({ dataDirectory, apiUrl: httpApi.url, takeReply: repliesTo(dataDirectory) }),
      (part) => part.close(),
    );
    const checkpoints = opened(openCheckpoints(dataDirectory), (part) => part.close());
    const passed = (tableName: string, shard: string): number =>
      checkpoints.passed(
        plan.streamMappings.flatMap((spec) => (spec.tableName === tableName ? spec.id : [])),
        shard,
      );
    const [kms, ses, dynamodb, sqs, s3] = await Promise.all([
      startKms({ dataDirectory, permissions, ...rateOf(kmsCallsPerSecond) }),
      startSes({
        dataDirectory,
        ports: [...(ports.last.inbox ? [ports.last.inbox] : []), ...inboxPorts],
        onNotification: mailEvents(plan.mailEvents, sns),
        routes: { ...phones.routes, ...clockRoutes(skip) },
        playText: phones.play,
        permissions,
        ...(awsLimits && { rate: openRate(sesSendRate) }),
      }),
      startDynamodb({ dataDirectory, tables: plan.tables, onExit: onLost, passed }),
      startSqs({ dataDirectory, queues: plan.queues, permissions }),
      startS3({ dataDirectory, buckets: plan.buckets, permissions, port: ports.last.files }),
    ]);
    for (const part of [kms, ses, dynamodb, sqs, s3]) opened(part, ({ close: end }) => end());
    const table = awsLimits
      ? opened(await startDynamodbLimits({ url: dynamodb.url, tables: plan.tables, ...awsLimits }), (part) =>
          part.close(),
        )
      : dynamodb;
    const guarded = opened(await startDynamodbFront({ url: table.url, tables: plan.tables, permissions }), (part) =>
      part.close(),
    );
    ports.keep({ api: httpApi.url, inbox: ses.url, files: s3.url });
    const blueprint = readBlueprint(assembly, { queueUrl: sqs.queueUrl, apiUrl: httpApi.url });

    const targets = scheduleTargets({ sqs });
    const scheduler = opened(
      await startScheduler({
        dataDirectory,
        groups: plan.scheduleGroups,
        deliver: targets.deliver,
        permissions,
        ...rateOf(schedulesPerSecond),
      }),
      (part) => part.close(),
    );
    await declareSchedules(scheduler.url, blueprint.schedules);
    const logs = opened(await startLogs({ logDirectory, functions: plan.functions, permissions }), (part) =>
      part.close(),
    );
    const switches = opened(openMappingSwitches(), (part) => part.close());
    const lambda = opened(
      await startLambda({ invoke: foreground, functions: blueprint.functions, mappings: switches }),
      (part) => part.close(),
    );
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
    const functions = opened(
      startFunctions(blueprint.functions, {
        environment: environmentFor(endpoints),
        logDirectory,
        whenBuilt: bundles.whenBuilt,
      }),
      async (part) => {
        // First stop accepting requests, then stop the functions they need.
        await httpApi.close();
        await part.close();
      },
    );
    running.resolve(functions);
    targets.connect(invoke);

    const queueUrlOf = (arn: string) => sqs.queueUrl(arn.split(':').at(-1) ?? '');
    switches.start(blueprint.queueMappings, (spec) =>
      runQueueMapping(spec, { sqsUrl: sqs.url, queueUrl: queueUrlOf(spec.queueArn), invoke }),
    );
    const mappings = blueprint.streamMappings.map((spec) =>
      runStreamMapping(spec, {
        dynamodbUrl: table.url,
        s3Url: s3.url,
        invoke,
        checkpoints,
        writes: guarded.writes,
        timeAt: clock.at,
      }),
    );
    opened(mappings, (all) => Promise.all(all.map((mapping) => mapping.close())));

    skipping.resolve(timeSkip({ clock, moments, scheduler, sqs, dynamodb, isHeld: switches.isHeld }));

    const masterKey = masterKeyOf(blueprint);
    const aws = { ...endpoints, table: blueprint.tables[0]?.name ?? '', masterKey };
    const adminToken = await seedOperatorToken({ aws, dataDirectory }, masterKey);
    return {
      url: httpApi.url,
      inboxUrl: ses.url,
      adminToken,
      assembly,
      blueprint,
      bundles,
      aws,
      invoke: foreground,
      replaceCode: functions.replaceCode,
      close,
    };
  } catch (thrown) {
    await close();
    throw thrown;
  }
};

/** A phone's text goes to the account that wrote to it, or else to the demo account. */
const repliesTo =
  (dataDirectory: string): TakeReply =>
  (inbound, account) => {
    const stack = findRunningStack(dataDirectory);
    return playInbound(stack, account ?? stack.accountId, inbound);
  };

/** The master key of the templates, as the functions know it that make data keys. */
const masterKeyOf = ({ functions }: Blueprint): string =>
  functions.flatMap(({ environment }) => environment['MASTER_KEY_ID'] ?? [])[0] ?? '';
