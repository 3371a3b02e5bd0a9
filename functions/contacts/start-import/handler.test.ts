import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importsOfAccount, spend } from '../../../shared/accounts/allowance.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { call } from '../../../test/call.ts';
import { openImporting } from '../../../test/transfer-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { startImportContract } from './contract.ts';
import { startImport } from './handler.ts';

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

  it('202 returns until when the import waits for its file, also to a retry of a request that failed', async () => {
    const { key, transfersQueue, read } = await openImporting(world);
    const beganMs = Date.now();
    let isDown = true;
    const send: typeof transfersQueue.send = async (jobs, options) => {
      if (isDown) throw new Error('no queue');
      await transfersQueue.send(jobs, options);
    };
    const start = (atMs: number) => {
      const needs = { ...world, transfersQueue: { send } };
      const handler = endpoint(startImportContract, startImport(needs), world.callers('contacts:write'), () => atMs);
      return call(handler, { key, headers: { 'idempotency-key': 'one' }, body: { dryRun: true } });
    };
    expect((await start(beganMs)).status).toBe(500);
    isDown = false;
    const { status, body } = await start(beganMs + 1_200_000);
    expect([status, body.data.expiresAt]).toEqual([202, new Date(beganMs + 3_600_000).toISOString()]);
    expect((await read(body.data.id)).data).toMatchObject({ status: 'waiting', dryRun: true });
  });

  it('429 refuses an account that has started its imports of the hour', async () => {
    const { answer, ref, transfersQueue } = await openImporting(world);
    await spend(world.rates, importsOfAccount, ref, Date.now(), importsOfAccount.most);
    const { status, body } = await answer({});
    expect([status, body.error.code, body.error.message]).toEqual([
      429,
      'rate_limited',
      'An account may start 300 imports an hour. Wait for the number of seconds in Retry-After.',
    ]);
    expect(transfersQueue.jobs).toEqual([]);
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
