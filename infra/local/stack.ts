import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Blueprint } from './blueprint.ts';
import type { Bundles } from './bundles.ts';
import { openCheckpoints } from './checkpoints.ts';
import { openClosers } from './closers.ts';
import { assemblyFolder, complainOfFullDisk, takeDataDirectory } from './data-directory.ts';
import { seedOperatorToken } from './demo-people.ts';
import { environmentFor } from './environment.ts';
import { type Functions, startFunctions } from './functions.ts';
import { type Answered, startHttpApi } from './http-api.ts';
import { requireFreePort } from './http-api-server.ts';
import { openKeptPorts } from './kept-ports.ts';
import { openLoggedFacts } from './logged-facts.ts';
import type { StackOptions } from './options.ts';
import { checkFeeds, permissionsOf } from './permissions.ts';
import { openQuietMoments } from './quiet-moment.ts';
import { readBlueprint } from './read-blueprint.ts';
import { stackFile } from './running-stack.ts';
import { openStackClock } from './stack-clock.ts';
import { startMappings } from './start-mappings.ts';
import { startServices } from './start-services.ts';
import { type Say, synthesize } from './synth.ts';
import type { AnsweredRequest } from './terminal.ts';
import { type Skipped, timeSkip } from './time-skip.ts';

/** Above API Gateway's limit, so that attachments of some more than 7 MB are refused by the API itself, in its own words. */
const mostBodyBytes = 32 * 1024 * 1024;

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
  readonly functions: Pick<Functions, 'replaceCode' | 'wasCalled'>;
  invoke: Functions['invoke'];
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
  const { opened, close } = openClosers();

  try {
    opened({ close: takeDataDirectory(dataDirectory, { isFresh }).release });
    const clock = opened(openStackClock(dataDirectory));
    // The file of a killed stack would make readers believe that this one is ready.
    rmSync(join(dataDirectory, stackFile), { force: true });
    // The synthesis would be a long wait for this.
    await requireFreePort(port);
    const assembly = join(dataDirectory, assemblyFolder);
    const bundles = await synthesize(assembly, settings, say);
    say('Starting the emulators');
    const plan = readBlueprint(assembly);
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
    const factsOf = openLoggedFacts(logDirectory);
    const onAnswered = (answered: Answered): void => {
      complainOfFullDisk(dataDirectory, answered);
      onRequest?.({ ...answered, ...(answered.functionName && factsOf(answered.functionName, answered.requestId)) });
    };
    const listen = (at: number) =>
      startHttpApi({
        port: at,
        routes: plan.routes,
        invoke: foreground,
        ...(awsLimits ? {} : { mostBodyBytes }),
        onAnswered,
      });
    const httpApi = opened(
      port === 0 && ports.last.api ? await listen(ports.last.api).catch(() => listen(0)) : await listen(port),
    );
    const checkpoints = opened(openCheckpoints(dataDirectory));
    const services = await startServices(opened, {
      dataDirectory,
      logDirectory,
      awsLimits,
      plan,
      permissions,
      ports,
      checkpoints,
      apiUrl: httpApi.url,
      moments,
      skip,
      onLost,
    });
    const { endpoints, blueprint, switches } = services;
    const functions = startFunctions(blueprint.functions, {
      environment: environmentFor(endpoints),
      logDirectory,
      whenBuilt: bundles.whenBuilt,
    });
    opened({
      close: async () => {
        // First stop accepting requests, then stop the functions they need.
        await httpApi.close();
        await functions.close();
      },
    });
    running.resolve(functions);
    services.targets.connect(invoke);

    startMappings(opened, services, { invoke, checkpoints, clock });
    skipping.resolve(timeSkip({ ...services, clock, moments, isHeld: switches.isHeld }));

    const masterKey = masterKeyOf(blueprint);
    const aws = { ...endpoints, table: blueprint.tables[0]?.name ?? '', masterKey };
    const adminToken = await seedOperatorToken({ aws, dataDirectory }, masterKey);
    return {
      url: httpApi.url,
      inboxUrl: endpoints.ses,
      adminToken,
      assembly,
      blueprint,
      bundles,
      aws,
      functions,
      invoke: foreground,
      close,
    };
  } catch (thrown) {
    await close();
    throw thrown;
  }
};

/** The master key of the templates, as the functions know it that make data keys. */
const masterKeyOf = ({ functions }: Blueprint): string =>
  functions.flatMap(({ environment }) => environment['MASTER_KEY_ID'] ?? [])[0] ?? '';
