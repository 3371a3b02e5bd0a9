import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mostMetadataBytes } from '../../../shared/messages/message.ts';
import { openExportFiles } from '../../../shared/table/transfers/export-files.ts';
import { contactCalls } from '../../../test/contacts-calls.ts';
import { exportCalls } from '../../../test/export-calls.ts';
import { modelRuns } from '../../../test/model-runs.ts';
import { killerOf } from '../../../test/transfer-calls.ts';
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
