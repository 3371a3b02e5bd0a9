import { expect, it } from 'vitest';
import { startWorld } from './world.ts';

it('keeps rows of a time of its own that has passed', async () => {
  const world = await startWorld();
  try {
    const key = { PK: 'row of a test', SK: 'that is set on another day' };
    await world.table.put({ Item: { ...key, expiresAt: 1 } });
    await world.dynamodb.sweepExpired();
    expect(await world.table.get(key)).toMatchObject(key);
  } finally {
    await world.close();
  }
});

it('shows every item of a table that is larger than one page of a scan, which is 1 MB', async () => {
  const world = await startWorld();
  try {
    for (const SK of ['1', '2', '3', '4'])
      await world.table.put({ Item: { PK: 'rows of a test', SK, text: 'x'.repeat(390_000) } });
    expect((await world.scan()).map(({ SK }) => SK)).toEqual(['1', '2', '3', '4']);
  } finally {
    await world.close();
  }
});
