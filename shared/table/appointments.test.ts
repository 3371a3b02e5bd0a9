import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWorld, type World } from '../../test/world.ts';
import { appoint } from './appointments.ts';
import { itemKeys } from './keys.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

it('callers get one time after the other, up to the 15 minutes that a job can wait, and an hour later they begin anew', async () => {
  const [startMs, minuteMs, key] = [Date.now(), 60_000, itemKeys.hostPace('a', 'host')];
  const waitMs = async (nowMs = startMs) => (await appoint(world.table, key, 5 * minuteMs, nowMs)) - nowMs;
  const waits: number[] = [];
  for (let caller = 0; caller < 20; caller += 1) waits.push(await waitMs());
  expect(waits.map((wait) => wait / minuteMs)).toEqual([5, 10, ...Array.from({ length: 18 }, () => 15)]);
  expect(await waitMs(startMs + 10 * minuteMs)).toBe(10 * minuteMs);
  expect(await waitMs(startMs + 60 * minuteMs)).toBe(5 * minuteMs);
});
