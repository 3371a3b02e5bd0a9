import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetScheduleCommand, ListSchedulesCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startScheduler } from '../../infra/local/emulators/scheduler.ts';
import { localClient, localEndpoint } from '../../infra/local/local-client.ts';
import { openAwsService } from './aws-service.ts';
import { openLateQueue } from './schedule.ts';

const nowMs = Date.parse('2030-11-20T12:00:00.250Z');
const queueArn = 'arn:aws:sqs:us-east-1:000000000000:webhook-deliveries';
const roleArn = 'arn:aws:iam::000000000000:role/scheduler';

let directory: string;
let emulator: Awaited<ReturnType<typeof startScheduler>>;
let scheduler: SchedulerClient;
const queued: unknown[] = [];
const queue = {
  send: async (jobs: readonly unknown[], options: unknown) => void queued.push(...jobs, options),
};

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'schedule-'));
  emulator = await startScheduler({ dataDirectory: directory, deliver: async () => undefined, groups: ['own'] });
  scheduler = new SchedulerClient(localClient(emulator.url));
});
afterAll(async () => {
  scheduler.destroy();
  await emulator.close();
  rmSync(directory, { recursive: true });
});

const sendAfter = (delayMs: number, name = 'retry-1') =>
  openLateQueue({
    queue,
    queueArn,
    scheduler: openAwsService('scheduler', localEndpoint(emulator.url)),
    roleArn,
    groupName: 'own',
  }).sendAt({ attempt: 5 }, { dueMs: nowMs + delayMs, nowMs, name });

describe('a delayed job', () => {
  it.each([
    [-5_000, 0],
    [0, 0],
    [1, 1],
    [5_000, 5],
    [60_000, 60],
    [300_000, 300],
    [900_000, 900],
  ])('%i ms from now waits in the queue for %i s, never too short', async (delayMs, delaySeconds) => {
    queued.length = 0;
    await sendAfter(delayMs);
    expect(queued).toEqual([{ attempt: 5 }, { delaySeconds }]);
  });

  it('over 15 minutes from now waits in a one-time schedule, which sends it to the queue and is deleted', async () => {
    queued.length = 0;
    await sendAfter(1_800_000);
    expect(queued).toEqual([]);
    expect(await scheduler.send(new GetScheduleCommand({ Name: 'retry-1', GroupName: 'own' }))).toMatchObject({
      ScheduleExpression: 'at(2030-11-20T12:30:01)',
      ScheduleExpressionTimezone: 'UTC',
      FlexibleTimeWindow: { Mode: 'OFF' },
      ActionAfterCompletion: 'DELETE',
      Target: { Arn: queueArn, RoleArn: roleArn, Input: '{"attempt":5}' },
    });
  });

  it('is scheduled once, however often it is sent with one name', async () => {
    await Promise.all([sendAfter(1_800_000), sendAfter(1_800_000), sendAfter(1_800_000, 'retry-2')]);
    const { Schedules = [] } = await scheduler.send(new ListSchedulesCommand({ NamePrefix: 'retry-' }));
    expect(Schedules.map(({ Name }) => Name)).toEqual(['retry-1', 'retry-2']);
  });
});
