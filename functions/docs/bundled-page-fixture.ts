import { createRequire } from 'node:module';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { build } from 'esbuild';
import { bundleOptions } from '../../infra/bundle.ts';
import { describing } from '../../infra/describe.ts';
import { functionName } from '../../infra/rows.ts';
import { making } from '../../infra/virtual-module.ts';
import type { page } from '../../shared/http/page.ts';
import { visit } from '../../shared/http/page-fixture.ts';
import { described } from '../../test/described.ts';

/** The description, as a run of tests has made it once. */
const known = making({
  ...describing,
  values: () => ({ openapiAdmin: described.openapiAdmin, files: described.files }),
});

/** The handler of a page's function, from the bundle that a deployment uploads. */
const bundled = async (does: string) => {
  const name = functionName(does);
  const { plugins = [], ...options } = bundleOptions('.');
  const { outputFiles = [] } = await build({
    ...options,
    plugins: [known, ...plugins],
    entryPoints: { [name]: join('functions', does, 'main.ts') },
    write: false,
  });
  const code = outputFiles.find(({ path }) => path.endsWith('.js'))?.text ?? '';
  const module: { exports: { handler?: ReturnType<typeof page> } } = { exports: {} };
  compileFunction(code, ['module', 'require'])(module, createRequire(import.meta.url));
  if (!module.exports.handler) throw new Error(`${does} exports no handler`);
  return module.exports.handler;
};

/** How a browser visits its pages. */
export const visitorOf = async (does: string) => {
  const handler = await bundled(does);
  return (path: string, headers: Readonly<Record<string, string>> = {}) => visit(handler, headers, {}, path);
};

/** Accessibility problems of a page, and resources that it would load from other hosts. */
export const pageFaults = (markup: string): string[] => {
  const all = (pattern: RegExp, text = markup) => [...text.matchAll(pattern)].map(([, found = '']) => found);
  const shown = markup.replaceAll(/<code>.*?<\/code>/gs, '');
  const ids = all(/\sid="([^"]*)"/g);
  const levels = all(/<h([1-6])[\s>]/g).map(Number);
  const landmarks = ['header', 'nav', 'main', 'footer'].filter(
    (name) => all(new RegExp(`(<${name}[ >])`, 'g')).length !== 1,
  );
  return [
    ...landmarks.map((name) => `not one ${name}`),
    ...ids.filter((id, i) => ids.indexOf(id) !== i).map((id) => `id ${id} twice`),
    ...all(/\s(?:href="#|aria-labelledby=")([^"]*)"/g)
      .filter((id) => !ids.includes(id))
      .map((id) => `no id ${id}`),
    ...levels.filter((level, i) => level > (levels[i - 1] ?? 0) + 1).map((level) => `h${level} after a skipped level`),
    ...(levels.filter((level) => level === 1).length === 1 ? [] : ['not one h1']),
    ...all(
      /(<script(?! src="\/docs\/assets\/)|<img|<iframe|<form|<object|<embed|@import|url\(|\ssrc=(?!"\/docs\/assets\/)|\sstyle=|\son\w+=|rel="?stylesheet(?!" href="\/docs\/assets\/))/gi,
      shown,
    ).map((found) => `has ${found}`),
    ...all(/<link [^>]*href="((?!\/(?!\/))[^"]*)"/g).map((href) => `loads ${href}`),
  ];
};
