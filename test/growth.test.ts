import { afterAll, beforeAll, expect, it } from 'vitest';
import { growthLists } from '../shared/docs/growth.ts';
import { benchGrowth } from './bench/growth.ts';
import { startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

it('a page of a list costs the same in an account twice as large', async () => {
  const figures = await benchGrowth(world, [650, 1_300], { tries: 0 });
  const lists = [...Map.groupBy(figures, ({ of, asks }) => `${of}: ${asks}`)];
  expect(lists.length).toBeGreaterThan(20);
  for (const [list, [small, large]] of lists) {
    expect([list, large?.calls]).toEqual([list, small?.calls]);
    // The end of the log of events is a little longer at some times than at others.
    expect([list, Number(large?.units) <= 1.1 * Number(small?.units)]).toEqual([list, true]);
    expect([list, Number(large?.units) < 60]).toEqual([list, true]);
  }
});

it('the documentation shows lists of ten thousand rows and more, none of which costs more than half as much again as that of a thousand', () => {
  expect(growthLists.length).toBeGreaterThan(20);
  for (const list of growthLists) {
    const [small, large] = [list[0], list.at(-1)];
    expect([small?.rows, Number(large?.rows) >= 10_000]).toEqual([1_000, true]);
    expect([large?.asks, Number(large?.units) <= 1.5 * Number(small?.units)]).toEqual([large?.asks, true]);
  }
});
