import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openImporting } from '../../../test/transfer-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

describe('POST /contacts/import', () => {
  it('202 returns an id and a URL that takes the file', async () => {
    const { answer, upload, transfersQueue } = await openImporting(world);
    const { status, body } = await answer({ dryRun: true });
    expect([status, Object.keys(body.data)]).toEqual([202, ['id', 'status', 'dryRun', 'uploadUrl', 'expiresAt']]);
    expect(body.data).toMatchObject({ status: 'waiting', dryRun: true });
    await upload(body.data.uploadUrl, 'email\n');
    expect(transfersQueue.jobs).toMatchObject([{ transfer: 'contact-import', id: body.data.id }]);
  });

  it('400 refuses a dryRun that is not a boolean', async () => {
    const { answer, transfersQueue } = await openImporting(world);
    const { status, body } = await answer({ dryRun: 'yes' });
    expect([status, body.error.code, body.error.message]).toEqual([
      400,
      'invalid_request',
      'dryRun: must be a boolean',
    ]);
    expect(transfersQueue.jobs).toEqual([]);
  });
});
