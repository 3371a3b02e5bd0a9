import { expect, it } from 'vitest';
import { isMadeOf, openBuilds, reloaded } from './watch.ts';

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
  builds.add(['page.md']);
  await expect.poll(() => built).toEqual([['handler.ts'], ['handler.ts'], ['handler.ts', 'page.md']]);
});

it('a change concerns what is made of the file, or of the folder that the file is new in', () => {
  const sources = ['functions/docs/show-docs/main.ts', 'folder:shared/docs/pages/'];
  const files = ['functions/docs/show-docs/main.ts', 'shared/docs/pages/new.md', 'shared/docs/site.ts'];
  expect(files.filter((file) => isMadeOf(sources, new Set([file])))).toEqual(files.slice(0, 2));
});

it('a line names up to five functions that were replaced, and counts more', () => {
  expect(reloaded(['a', 'b', 'c', 'd', 'e'])).toBe('Reloaded a, b, c, d, e');
  expect(reloaded(['a', 'b', 'c', 'd', 'e', 'f'])).toBe('Reloaded 6 functions');
});
