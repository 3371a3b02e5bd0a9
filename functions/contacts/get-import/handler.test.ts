import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openImporting } from '../../../test/transfer-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

describe('GET /contacts/imports/{id}', () => {
  it('200 begins an import whose file is there, and reports one that waited for an hour as failed', async () => {
    let nowMs = Date.now();
    const { begin, run, upload, read, transfersQueue } = await openImporting(world, {
      changes: { clock: () => nowMs },
    });
    const [first, second] = [await begin(), await begin()];
    const [job = expect.fail(), other = expect.fail()] = transfersQueue.jobs.splice(0);
    await run(job);
    expect([(await read(first.id)).data.status, transfersQueue.jobs.length]).toEqual(['waiting', 1]);
    await upload(first.uploadUrl, 'email\na@example.com');
    expect([(await read(first.id)).data.status, transfersQueue.jobs.length]).toEqual(['processing', 2]);
    nowMs += 4_000_000;
    await run(other);
    expect((await read(second.id)).data).toMatchObject({
      status: 'failed',
      failureReason: 'no file was uploaded within an hour',
    });
  });

  it('404 answers an unknown id and another account’s', async () => {
    const { begin, read } = await openImporting(world);
    const { id } = await begin();
    const { key } = await world.newAccount();
    expect((await read(id, key)).error.code).toBe('not_found');
    expect((await read('x')).error.code).toBe('not_found');
  });
});
