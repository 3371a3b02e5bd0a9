import { CreateScheduleCommand, GetScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { afterEach, expect, test } from 'vitest';
import { declareSchedules } from './declare-schedules.ts';
import { startScheduler } from './emulators/scheduler.ts';
import { closedAfterTest, eventually, temporaryDirectory } from './emulators-fixture.ts';
import { localClient } from './local-client.ts';
import { putDateAhead } from './shifted-date.ts';

afterEach(() => putDateAhead(0));

const schedule = {
  name: 'rounds',
  group: 'own',
  expression: 'rate(1 hour)',
  targetArn: 'arn:aws:sqs:us-east-1:000000000000:rounds',
  roleArn: 'arn:aws:iam::000000000000:role/scheduler',
  input: '{}',
};

test('a schedule of the templates sends a job to its queue, and keeps its rhythm after a restart', async () => {
  const dataDirectory = await temporaryDirectory();
  const delivered: unknown[] = [];
  let nowMs = Date.now();
  const start = () =>
    startScheduler({
      dataDirectory,
      groups: ['own'],
      now: () => nowMs,
      deliver: async ({ arn, input }) => void delivered.push([arn, input]),
    });

  const first = await start();
  await declareSchedules(first.url, [schedule]);
  await eventually(() => expect(delivered).toEqual([[schedule.targetArn, '{}']]));
  await first.close();

  nowMs += 1_800_000;
  const second = closedAfterTest(await start());
  await declareSchedules(second.url, [{ ...schedule, input: '{"n":2}' }]);
  const client = new SchedulerClient(localClient(second.url));
  const { Target } = await client.send(new GetScheduleCommand({ Name: schedule.name, GroupName: 'own' }));
  expect(Target?.Input).toBe('{"n":2}');
  expect(delivered).toHaveLength(1);
  client.destroy();
});

test('while the clock is ahead, a schedule that exists is refused once, not tried again', async () => {
  const dataDirectory = await temporaryDirectory();
  const { url } = closedAfterTest(await startScheduler({ dataDirectory, groups: ['own'], deliver: async () => {} }));
  await declareSchedules(url, [schedule]);
  putDateAhead(3 * 86_400_000);
  const client = new SchedulerClient(localClient(url));
  const Target = { Arn: schedule.targetArn, RoleArn: schedule.roleArn };
  const again = { Name: schedule.name, GroupName: 'own', ScheduleExpression: 'rate(1 hour)', Target };
  const creating = client.send(new CreateScheduleCommand({ ...again, FlexibleTimeWindow: { Mode: 'OFF' } }));
  await expect(creating).rejects.toMatchObject({ name: 'ConflictException', $metadata: { attempts: 1 } });
  client.destroy();
});
