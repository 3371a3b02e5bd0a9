import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCheckpoints } from './checkpoints.ts';
import { closedAfterTest, runApart, sigkill, temporaryDirectory } from './emulators-fixture.ts';
import { freshStart } from './fresh-start.ts';
import { StartFailure } from './start-failure.ts';

test('each mapping has its own position in each shard', async () => {
  const checkpoints = closedAfterTest(openCheckpoints(await temporaryDirectory()));
  checkpoints.set('one', 'shard', '1');
  checkpoints.set('one', 'shard', '2');
  checkpoints.set('one', 'other', '3');
  checkpoints.set('two', 'shard', '4');
  expect(checkpoints.get('one', 'shard')).toBe('2');
  expect(checkpoints.get('one', 'other')).toBe('3');
  expect(checkpoints.get('two', 'shard')).toBe('4');
  expect(checkpoints.get('two', 'other')).toBeUndefined();
  expect(checkpoints.passed(['one', 'two'], 'shard')).toBe(2);
  expect(checkpoints.passed(['one', 'two'], 'other')).toBe(0);
});

test('a position survives SIGKILL', async () => {
  const dataDirectory = await temporaryDirectory();
  const { child } = await runApart(`
    import { openCheckpoints } from ${JSON.stringify(join(import.meta.dirname, 'checkpoints.ts'))};
    openCheckpoints(${JSON.stringify(dataDirectory)}).set('mapping', 'shard', '49');
    console.log('set');
    setInterval(() => {}, 1_000);
  `);
  await sigkill(child);
  expect(closedAfterTest(openCheckpoints(dataDirectory)).get('mapping', 'shard')).toBe('49');
});

test('an unreadable checkpoint file ends the start with one line', async () => {
  const dataDirectory = await temporaryDirectory();
  await writeFile(
    join(dataDirectory, 'checkpoints.sqlite'),
    'not a database, but long enough to be read as one'.repeat(99),
  );
  expect(() => openCheckpoints(dataDirectory)).toThrow(StartFailure);
  expect(() => openCheckpoints(dataDirectory)).toThrow(/^The checkpoints in .* cannot be opened \(.*\): npm start/);
  expect(() => openCheckpoints(dataDirectory)).toThrow(freshStart(dataDirectory));
});
