import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportCalls } from '../../../test/export-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

describe('GET /messages/exports/{id}', () => {
  it('404 answers an unknown id, another account’s and one of contacts', async () => {
    const [{ key }, { key: foreign }] = [await world.newAccount(), await world.newAccount()];
    const calls = exportCalls(world, key);
    const [own, other] = [(await calls('messages').begin()).body.data, (await calls('contacts').begin()).body.data];
    const { read } = calls('messages');
    expect((await read(own.id)).body.data).toEqual({ ...own, status: 'processing' });
    for (const answer of [await read('x'), await read(own.id, foreign), await read(other.id)])
      expect([answer.status, answer.body.error?.code]).toEqual([404, 'not_found']);
  });
});
