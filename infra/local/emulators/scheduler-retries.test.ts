import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import { hourMs } from '../../../shared/kit/time-units.ts';
import { ahead, at, eventually, past, queueArn, schedulerFixture } from './scheduler-fixture.ts';

const { create, remove, exists, settle, start, stop, restart, catchUp, deliveredTo, attemptsAt, dataDirectory, down } =
  schedulerFixture();

/** A stopped clock: a retry becomes due only by a restart with another clock. */
const frozen = (timeMs: number) => () => timeMs;

test('a failed delivery is retried after one second, then with the delay doubled each time', async () => {
  let timeMs = Date.now();
  await restart(frozen(timeMs));
  down.add(queueArn('down'));
  await create('down', past, {}, { ActionAfterCompletion: 'DELETE' });
  await eventually(() => attemptsAt('down')).toEqual([1]);
  for (const [index, waitMs] of [1000, 2000, 4000, 8000].entries()) {
    await restart(frozen(timeMs + waitMs - 1));
    await settle();
    expect(attemptsAt('down')).toHaveLength(index + 1);
    timeMs += waitMs;
    await restart(frozen(timeMs));
    await eventually(() => attemptsAt('down')).toHaveLength(index + 2);
  }
  expect(attemptsAt('down')).toEqual([1, 2, 3, 4, 5]);
  expect(await exists('down')).toBe(true);
  down.clear();
  await restart(frozen(timeMs + 16_000));
  await eventually(() => exists('down')).toBe(false);
  expect(attemptsAt('down')).toEqual([1, 2, 3, 4, 5, 6]);
});

test('a due retry runs without another call', async () => {
  down.add(queueArn('brief'));
  await create('brief', past);
  await eventually(() => attemptsAt('brief')).toEqual([1]);
  down.clear();
  await eventually(() => attemptsAt('brief')).toEqual([1, 2]);
});

test('a schedule that is deleted during an attempt is not retried', async () => {
  const { promise: taken, reject: refuse } = Promise.withResolvers<void>();
  await stop();
  await start(Date.now, () => taken);
  await create('dropped', past);
  await eventually(() => attemptsAt('dropped')).toEqual([1]);
  await remove('dropped');
  refuse(new Error('too late'));
  await restart(ahead(hourMs));
  await settle();
  expect(attemptsAt('dropped')).toEqual([1]);
});

test('an input that no attempt could deliver goes to the dead-letter queue, with retries of its own', async () => {
  down.add(queueArn('lost')).add(queueArn('dead'));
  const RetryPolicy = { MaximumRetryAttempts: 1 };
  const DeadLetterConfig = { Arn: queueArn('dead') };
  await create('lost', past, { RetryPolicy, DeadLetterConfig }, { ActionAfterCompletion: 'DELETE' });
  await restart(ahead(2000));
  await eventually(() => deliveredTo('dead')).toHaveLength(1);
  down.delete(queueArn('dead'));
  await restart(ahead(hourMs));
  await eventually(() => exists('lost')).toBe(false);
  expect(attemptsAt('lost')).toEqual([1, 2]);
  expect(attemptsAt('dead')).toEqual([2, 2]);
});

/** Until it is released, the scheduler cannot write its file, as on a full disk. Its complaint is awaited. */
const holdFile = () => {
  const log = vi.spyOn(console, 'error').mockReturnValue();
  const file = new DatabaseSync(join(dataDirectory(), 'scheduler.sqlite'));
  file.exec('BEGIN IMMEDIATE');
  return async () => {
    await eventually(() => log.mock.calls).toEqual([[expect.stringContaining('cannot write its schedules')]]);
    file.close();
    log.mockRestore();
  };
};

test('a schedule that cannot be written when it is due runs once it can', async () => {
  let byMs = 0;
  await restart(() => Date.now() + byMs);
  await create('due', at(Date.now() + hourMs));
  const release = holdFile();
  byMs = 2 * hourMs;
  catchUp();
  await release();
  await eventually(() => attemptsAt('due')).toEqual([1]);
});

test('a run that cannot be recorded as delivered is not delivered again', async () => {
  const { promise: taken, resolve: take } = Promise.withResolvers<void>();
  await stop();
  await start(Date.now, () => taken);
  await create('running', past, {}, { ActionAfterCompletion: 'DELETE' });
  const release = holdFile();
  take();
  await release();
  await eventually(() => exists('running')).toBe(false);
  expect(attemptsAt('running')).toEqual([1]);
});

test('an input that exceeds its maximum age is given up and logged', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue();
  const timeMs = Date.now();
  await restart(frozen(timeMs));
  down.add(queueArn('old'));
  await create('old', past, { RetryPolicy: { MaximumEventAgeInSeconds: 60 } });
  await eventually(() => attemptsAt('old')).toEqual([1]);
  await restart(frozen(timeMs + 61_000));
  await eventually(() => attemptsAt('old')).toEqual([1, 2]);
  await restart(frozen(timeMs + hourMs));
  await settle();
  expect(attemptsAt('old')).toEqual([1, 2]);
  expect(log).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('default/old gives up'), expect.any(Error));
  log.mockRestore();
});
