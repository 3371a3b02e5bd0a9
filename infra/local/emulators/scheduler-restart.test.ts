import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { hourMs } from '../../../shared/kit/time-units.ts';
import { freshStart } from '../fresh-start.ts';
import { ahead, at, eventually, past, schedulerFixture } from './scheduler-fixture.ts';

const { create, settle, restart, start, stop, connect, dataDirectory, deliveries, deliveredTo, attemptsAt } =
  schedulerFixture();

test('after a restart, a delivered schedule is not repeated, and one that became due meanwhile is delivered', async () => {
  await create('before', past);
  await create('meanwhile', at(Date.now() + hourMs));
  await eventually(() => deliveredTo('before')).toHaveLength(1);
  await restart(ahead(2 * hourMs));
  await eventually(() => deliveredTo('meanwhile')).toHaveLength(1);
  await settle();
  expect(deliveredTo('before')).toHaveLength(1);
});

test('schedules and pending retries survive a SIGKILL', async () => {
  await stop();
  const program = `
    import { startScheduler } from ${JSON.stringify(new URL('scheduler.ts', import.meta.url))};
    const { url } = await startScheduler({
      dataDirectory: ${JSON.stringify(dataDirectory())},
      deliver: async () => { console.log('attempted'); throw new Error('down'); },
    });
    console.log(url);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  connect(String((await lines.next()).value));
  await create('kept', at(Date.now() + hourMs));
  await create('pending', past);
  expect((await lines.next()).value).toBe('attempted');
  child.kill('SIGKILL');
  await once(child, 'exit');
  await start(ahead(2 * hourMs));
  await eventually(() => deliveries).toHaveLength(2);
  expect(attemptsAt('kept')).toEqual([1]);
  expect(attemptsAt('pending')).toEqual([expect.any(Number)]);
});

test('closing lets a running delivery end, so that it is not repeated', async () => {
  const { promise: taken, resolve: take } = Promise.withResolvers<void>();
  await stop();
  await start(Date.now, () => taken);
  await create('slow', past);
  await eventually(() => deliveredTo('slow')).toHaveLength(1);
  setTimeout(take, 100);
  await stop();
  await start(ahead(hourMs));
  await settle();
  expect(deliveredTo('slow')).toHaveLength(1);
});

test('closing does not wait for a delivery that hangs, which is repeated after the next start', async () => {
  await stop();
  await start(Date.now, () => new Promise(() => {}));
  await create('stuck', past);
  await eventually(() => deliveredTo('stuck')).toHaveLength(1);
  await restart(Date.now);
  await eventually(() => deliveredTo('stuck')).toHaveLength(2);
});

test('a damaged file fails the start and is left as it is', async () => {
  await stop();
  const file = join(dataDirectory(), 'scheduler.sqlite');
  await writeFile(file, 'not a database');
  await expect(start()).rejects.toMatchObject({
    name: 'StartFailure',
    message: `${file} cannot be used (file is not a database): ${freshStart(dataDirectory())}`,
  });
  expect(await readFile(file, 'utf8')).toBe('not a database');
  await rm(file);
  await start();
});
