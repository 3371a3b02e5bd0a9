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
