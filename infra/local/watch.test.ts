import { expect, it } from 'vitest';
import { openBuilds } from './watch.ts';

it('a file that is saved again during a build is built again, and one that could not be built is built with the next', async () => {
  const built: string[][] = [];
  const outcomes = [true, false, true];
  const builds = openBuilds(Promise.resolve(), async (files) => {
    built.push([...files]);
    if (built.length === 1) builds.add(['handler.ts']);
    return outcomes.shift() ?? true;
  });
  builds.add(['handler.ts']);
  await expect.poll(() => built).toHaveLength(2);
  await builds.done();
  builds.add(['page.md']);
  await builds.done();
  expect(built).toEqual([['handler.ts'], ['handler.ts'], ['handler.ts', 'page.md']]);
});
