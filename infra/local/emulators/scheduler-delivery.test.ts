import { expect, test } from 'vitest';
import { hourMs } from '../../../shared/kit/time-units.ts';
import { ahead, at, eventually, past, queueArn, schedulerFixture } from './scheduler-fixture.ts';

const { create, update, remove, exists, settle, restart, deliveries, deliveredTo, attemptsAt, down } =
  schedulerFixture();

test('a one-time schedule is delivered once, at its time', async () => {
  const dueMs = Math.ceil(Date.now() / 1000) * 1000 + 1000;
  await create('soon', at(dueMs));
  await eventually(() => deliveries).toEqual([{ arn: queueArn('soon'), input: '{"attempt":1}' }]);
  expect(Date.now()).toBeGreaterThanOrEqual(dueMs);
  await settle();
  expect(deliveredTo('soon')).toHaveLength(1);
  expect(await exists('soon')).toBe(true);
});

test('a local time is delivered according to its time zone', async () => {
  const dhakaMs = Date.now() + 6 * hourMs;
  await create('an-hour-ago', at(dhakaMs - hourMs), {}, { ScheduleExpressionTimezone: 'Asia/Dhaka' });
  await create('in-an-hour', at(dhakaMs + hourMs), {}, { ScheduleExpressionTimezone: 'Asia/Dhaka' });
  await eventually(() => deliveries).toHaveLength(1);
  await settle();
  expect(deliveredTo('an-hour-ago')).toHaveLength(1);
  expect(deliveredTo('in-an-hour')).toEqual([]);
});

test('a delivered schedule with DELETE after completion is deleted', async () => {
  await create('gone', past, {}, { ActionAfterCompletion: 'DELETE' });
  await eventually(() => exists('gone')).toBe(false);
  expect(deliveredTo('gone')).toHaveLength(1);
});

test('the context attributes in an input are filled in', async () => {
  const Input = '<aws.scheduler.scheduled-time> <aws.scheduler.schedule-arn> <aws.scheduler.execution-id> <aws.other>';
  const { ScheduleArn } = await create('filled', past, { Input });
  await eventually(() => deliveries).toHaveLength(1);
  const [time, scheduleArn, executionId, other] = deliveries[0]?.input.split(' ') ?? [];
  expect([time, scheduleArn, other]).toEqual(['2020-02-02T02:02:02Z', ScheduleArn, '<aws.other>']);
  expect(executionId).toMatch(/^[0-9a-f-]{36}$/);
});

test('a target without an input gets the service’s default event', async () => {
  const { ScheduleArn } = await create('bare', past, { Input: undefined });
  await eventually(() => deliveries).toHaveLength(1);
  expect(JSON.parse(deliveries[0]?.input ?? '')).toEqual({
    version: '0',
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    'detail-type': 'Scheduled Event',
    source: 'aws.scheduler',
    account: '000000000000',
    time: '2020-02-02T02:02:02Z',
    region: 'us-east-1',
    resources: [ScheduleArn],
    detail: '{}',
  });
});

test('a message group is passed to the target', async () => {
  await create('fifo', past, { SqsParameters: { MessageGroupId: 'g1' } });
  await eventually(() => deliveries).toHaveLength(1);
  expect(deliveries[0]?.messageGroupId).toBe('g1');
});

test('a disabled schedule waits until it is enabled', async () => {
  await create('disabled', past, {}, { State: 'DISABLED' });
  await settle();
  expect(deliveredTo('disabled')).toEqual([]);
  await update('disabled', past);
  await eventually(() => deliveredTo('disabled')).toHaveLength(1);
});

test('a deleted schedule is not delivered, nor are its retries', async () => {
  const nowMs = Date.now();
  await restart(() => nowMs);
  await create('deleted', at(nowMs + hourMs));
  down.add(queueArn('retried'));
  await create('retried', past);
  await eventually(() => attemptsAt('retried')).toEqual([1]);
  await remove('deleted');
  await remove('retried');
  await restart(ahead(2 * hourMs));
  await settle();
  expect(deliveredTo('deleted')).toEqual([]);
  expect(attemptsAt('retried')).toEqual([1]);
});

test('an update moves a schedule, and a delivered schedule that is moved is delivered again', async () => {
  await create('moved', at(Date.now() + hourMs));
  await update('moved', past);
  await eventually(() => deliveredTo('moved')).toHaveLength(1);
  await update('moved', past, {}, { Description: 'the same time' });
  await settle();
  expect(deliveredTo('moved')).toHaveLength(1);
  await update('moved', 'at(2021-01-01T00:00:00)');
  await eventually(() => deliveredTo('moved')).toHaveLength(2);
});

test('a rate is delivered at once, then once for all missed runs, then at its interval', async () => {
  await create('beat', 'rate(10 minutes)');
  await eventually(() => deliveredTo('beat')).toHaveLength(1);
  await restart(ahead(9.5 * 60_000));
  await settle();
  expect(deliveredTo('beat')).toHaveLength(1);
  await restart(ahead(35 * 60_000));
  await settle();
  expect(deliveredTo('beat')).toHaveLength(2);
  await restart(ahead(39.5 * 60_000));
  await settle();
  expect(deliveredTo('beat')).toHaveLength(2);
  await restart(ahead(40.5 * 60_000));
  await settle();
  expect(deliveredTo('beat')).toHaveLength(3);
});

test('a rate with DELETE after completion is deleted when it ends', async () => {
  const EndDate = new Date(Date.now() + 15 * 60_000);
  await create('ending', 'rate(10 minutes)', {}, { EndDate, ActionAfterCompletion: 'DELETE' });
  await eventually(() => deliveredTo('ending')).toHaveLength(1);
  await settle();
  expect(await exists('ending')).toBe(true);
  await restart(ahead(11 * 60_000));
  await eventually(() => exists('ending')).toBe(false);
  expect(deliveredTo('ending')).toHaveLength(2);
});

test('schedules beyond the concurrency limit are all delivered once', async () => {
  const names = Array.from({ length: 70 }, (_, index) => `many-${index}`);
  for (const name of names) await create(name, at(Date.now() + hourMs));
  await restart(ahead(2 * hourMs));
  await eventually(() => deliveries).toHaveLength(names.length);
  await settle();
  expect(
    deliveries
      .slice(0, -1)
      .map((delivery) => delivery.arn)
      .toSorted(),
  ).toEqual(names.map(queueArn).toSorted());
});

test('a schedule years ahead is not delivered early and delays no other schedule', async () => {
  await create('far', 'at(2999-01-01T00:00:00)');
  await settle();
  expect(deliveredTo('far')).toEqual([]);
});
