import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateScheduleCommand,
  type CreateScheduleInput,
  DeleteScheduleCommand,
  GetScheduleCommand,
  SchedulerClient,
  type Target,
  UpdateScheduleCommand,
} from '@aws-sdk/client-scheduler';
import { afterEach, beforeEach, expect } from 'vitest';
import type { SchedulerOptions } from './scheduler.ts';
import { startScheduler } from './scheduler.ts';

type Deliver = SchedulerOptions['deliver'];

export const past = 'at(2020-02-02T02:02:02)';
export const at = (timeMs: number): string => `at(${new Date(timeMs).toISOString().slice(0, 19)})`;
export const queueArn = (name: string): string => `arn:aws:sqs:us-east-1:000000000000:${name}`;
export const ahead = (byMs: number) => () => Date.now() + byMs;
export const eventually = <T>(read: () => T) => expect.poll(read);

/** Before each test of a file, starts a scheduler with its own data directory, and records its deliveries. A Node warning, for example of a timer overflow, fails the test. */
export const schedulerFixture = () => {
  const deliveries: Parameters<Deliver>[0][] = [];
  const down = new Set<string>();
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  let dataDirectory = '';
  let scheduler: Awaited<ReturnType<typeof startScheduler>>;
  let client: SchedulerClient;

  const connect = (endpoint: string) => {
    client = new SchedulerClient({
      endpoint,
      region: 'us-east-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
      maxAttempts: 1,
    });
  };
  const start = async (now: () => number = Date.now, taken: () => Promise<void> = async () => {}) => {
    scheduler = await startScheduler({
      dataDirectory,
      now,
      deliver: async (target) => {
        deliveries.push(target);
        if (down.has(target.arn)) throw new Error(`${target.arn} is down`);
        await taken();
      },
    });
    connect(scheduler.url);
  };
  const stop = async () => {
    client.destroy();
    await scheduler.close();
  };

  beforeEach(async () => {
    deliveries.length = 0;
    down.clear();
    process.on('warning', note);
    dataDirectory = await mkdtemp(join(tmpdir(), 'scheduler-'));
    await start();
  });

  afterEach(async () => {
    await stop();
    await rm(dataDirectory, { recursive: true });
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });

  const create = (...args: Parameters<typeof schedule>) => client.send(new CreateScheduleCommand(schedule(...args)));
  const deliveredTo = (name: string) => deliveries.filter(({ arn }) => arn === queueArn(name));
  return {
    deliveries,
    /** ARNs of targets that refuse every delivery. */
    down,
    dataDirectory: () => dataDirectory,
    connect,
    start,
    stop,
    /** Looks at the clock, which has moved. */
    catchUp: () => scheduler.catchUp(),
    restart: async (now: () => number) => {
      await stop();
      await start(now);
    },
    create,
    update: (...args: Parameters<typeof schedule>) => client.send(new UpdateScheduleCommand(schedule(...args))),
    remove: (Name: string) => client.send(new DeleteScheduleCommand({ Name })),
    exists: (Name: string) =>
      client.send(new GetScheduleCommand({ Name })).then(
        () => true,
        () => false,
      ),
    deliveredTo,
    attemptsAt: (name: string): unknown[] => deliveredTo(name).map(({ input }) => JSON.parse(input).attempt),
    /** Resolves when every earlier due schedule was delivered. */
    settle: async () => {
      const name = `last-${deliveries.length}`;
      await create(name, past);
      await eventually(() => deliveredTo(name)).toHaveLength(1);
    },
  };
};

/** A schedule whose target is the queue of the same name. Its input contains the attempt number. */
const schedule = (
  Name: string,
  expression: string,
  target: Partial<Target> = {},
  more: Partial<CreateScheduleInput> = {},
): CreateScheduleInput => ({
  Name,
  ScheduleExpression: expression,
  FlexibleTimeWindow: { Mode: 'OFF' },
  Target: {
    Arn: queueArn(Name),
    RoleArn: 'arn:aws:iam::000000000000:role/scheduler',
    Input: '{"attempt":<aws.scheduler.attempt-number>}',
    ...target,
  },
  ...more,
});
