import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dayMs, hourMs } from '../../../shared/kit/time-units.ts';
import { mostMetadataBytes } from '../../../shared/messages/message.ts';
import { openExportFiles } from '../../../shared/table/transfers/export-files.ts';
import { contactCalls } from '../../../test/contacts-calls.ts';
import { exportCalls } from '../../../test/export-calls.ts';
import { modelRuns } from '../../../test/model-runs.ts';
import { killerOf, workOff } from '../../../test/transfer-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

it('an export has each row once, whichever calls kill its runs', async () => {
  const { key } = await world.newAccount();
  const emails = Array.from({ length: 23 }, (_, n) => `p${n}@example.com`);
  await contactCalls(world).createAll(
    key,
    emails.map((email) => ({ email })),
  );
  const fatalCalls = fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(fatalCalls, async (fatal) => {
      // Each look at the clock takes three seconds, so a run reads a few pages at most.
      let nowMs = Date.now();
      const clock = () => {
        nowMs += 3_000;
        return nowMs;
      };
      const { files, during } = killerOf(world, fatal);
      const changes = { clock, exportFiles: openExportFiles(files) };
      const [, ...rows] = await exportCalls(world, key, { changes, atOnce: 4 })('contacts').rows({}, during);
      expect(rows.map(([, email]) => email)).toEqual(emails);
    }),
    { numRuns: modelRuns(5) },
  );
});

it('an export of messages never reads more metadata at once than its function has memory for', async () => {
  const { key } = await world.newAccount();
  const limits: number[] = [];
  const list: World['messages']['list'] = async (account, filter, page) => {
    limits.push(page.limit);
    return world.messages.list(account, filter, page);
  };
  await exportCalls({ ...world, messages: { ...world.messages, list } }, key)('messages').rows();
  expect(limits).toHaveLength(1);
  // Five copies of it fit beside the rest into 512 MB.
  expect(Math.max(...limits) * mostMetadataBytes).toBeLessThanOrEqual(50_000_000);
});

it.each(['messages', 'contacts'] as const)(
  'an export of %s that no run has gone on with for a day is failed, and its job changes nothing any more',
  async (kind) => {
    const { key } = await world.newAccount();
    let [nowMs, isBroken] = [Date.now() - dayMs + 60_000, true];
    const grow: World['exportFiles']['grow'] = (...given) =>
      isBroken ? Promise.reject(new Error('broken')) : world.exportFiles.grow(...given);
    const changes = { clock: () => nowMs, exportFiles: { grow } };
    const { begin, read, run, jobs } = exportCalls(world, key, { changes })(kind);
    const { id } = (await begin()).body.data;
    const job = jobs[0] ?? expect.fail();
    const report = async () => (await read(id)).body.data;

    await expect(run(job)).rejects.toThrow('broken');
    expect(await report()).toMatchObject({ status: 'processing', completedAt: null });
    nowMs -= 60_000;
    await expect(run(job)).rejects.toThrow('broken');
    const failed = await report();
    expect(failed).toMatchObject({ status: 'failed', url: null, completedAt: expect.any(String) });
    [nowMs, isBroken] = [Date.now(), false];
    await run(job);
    expect(await report()).toEqual(failed);
  },
);

it('an export whose job is replayed within a day goes on', async () => {
  const { key } = await world.newAccount();
  let [nowMs, isBroken] = [Date.now() - 23 * hourMs, true];
  const grow: World['exportFiles']['grow'] = (...given) =>
    isBroken ? Promise.reject(new Error('broken')) : world.exportFiles.grow(...given);
  const changes = { clock: () => nowMs, exportFiles: { grow } };
  const { begin, read, run, jobs } = exportCalls(world, key, { changes })('contacts');
  const { id } = (await begin()).body.data;
  await expect(run(jobs[0] ?? expect.fail())).rejects.toThrow('broken');
  [nowMs, isBroken] = [Date.now(), false];
  await workOff(jobs, run);
  expect((await read(id)).body.data).toMatchObject({ status: 'completed' });
});

it('an export that is complete stays so, however long ago its last run was', async () => {
  const { key } = await world.newAccount();
  const changes = { clock: () => Date.now() - dayMs };
  expect(await exportCalls(world, key, { changes })('contacts').rows()).toHaveLength(1);
});
