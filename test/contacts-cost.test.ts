import { afterAll, beforeAll, expect, it } from 'vitest';
import { benchContacts } from './bench/contacts.ts';
import { startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

it('a page of contacts costs the same in an account five times as large', async () => {
  const rows = Object.entries(await benchContacts(world, [100, 500]));
  expect(rows.length).toBeGreaterThan(5);
  for (const [asked, units] of rows) expect([asked, units['500']]).toEqual([asked, units['100']]);
  for (const [asked, units] of rows) expect([asked, Number(units['500']) < 60]).toEqual([asked, true]);
});
