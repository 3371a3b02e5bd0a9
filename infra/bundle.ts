import { readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { bundlingDashboard } from './browser-app.ts';
import { lettingIn } from './callers.ts';
import { describing } from './describe.ts';
import { loadingLate } from './late-modules.ts';
import { routing } from './outbox.ts';
import { functionFolders, functionName } from './rows.ts';
import { writeMaps } from './source-maps.ts';
import { leavingUnused } from './unused-values.ts';
import { importingSources, making, namingFolders } from './virtual-module.ts';

const root = join(import.meta.dirname, '..');

/** Stored beside the bundles; lists the sources of each. */
export const sourcesFile = 'sources.json';

const made = [describing, bundlingDashboard, routing];

/** Modules that functions never run: JSON schemas are made while bundling, and a mail opens no URL. Their exports throw. */
const neverRun =
  /[\\/](zod[\\/]v4[\\/]core[\\/](to-json-schema|json-schema-processors)|nodemailer[\\/]dist[\\/]esm[\\/]fetch[\\/]index)\.js$/;

/** Keeps what no function runs out of the bundles. */
const leavingOut: Plugin = {
  name: 'leaving-out',
  setup: ({ onResolve, onLoad, resolve }) => {
    onLoad({ filter: neverRun }, async ({ path }) => ({
      contents: throwing(Object.keys(await import(pathToFileURL(path).href))),
    }));
    // Its package does not say that an unused import of it can go.
    onResolve({ filter: /^nodemailer\// }, async ({ path, pluginData, ...asked }) =>
      pluginData === 'asked'
        ? undefined
        : { ...(await resolve(path, { ...asked, pluginData: 'asked' })), sideEffects: false },
    );
  },
};

const throwing = (names: readonly string[]): string =>
  `function leftOut() { throw new Error('this module is left out of bundles'); }
export { ${names.map((name) => `leftOut as ${name}`).join(', ')} };`;

/** One esbuild call for all functions. CommonJS loads faster than ES modules. */
export const bundleOptions = (outdir: string, folders = functionFolders): BuildOptions => ({
  absWorkingDir: root,
  entryPoints: Object.fromEntries(
    folders.map((does) => [`${functionName(does)}/${functionName(does)}`, join('functions', does, 'main.ts')]),
  ),
  outdir,
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  mainFields: ['module', 'main'],
  legalComments: 'none',
  plugins: [...made.map(making), lettingIn, leavingOut, leavingUnused, loadingLate],
  metafile: true,
  supported: { 'dynamic-import': false },
  logLevel: 'warning',
});

/**
 * Bundles the functions of these folders. Returns our own sources of each, by function name. With `maps`, their source maps are written to that
 * file: beside the bundles they would double the size of the functions, and nothing there reads them.
 */
export const bundle = async (
  outdir: string,
  folders = functionFolders,
  maps?: string,
): Promise<Record<string, string[]>> => {
  const mapped = { sourcemap: 'external', sourcesContent: false } as const;
  const { metafile } = await build({ ...bundleOptions(outdir, folders), ...(maps !== undefined && mapped) });
  if (maps !== undefined) {
    const files = folders.map(functionName).map((name) => [name, join(outdir, name, `${name}.js.map`)] as const);
    writeMaps(maps, Object.fromEntries(files.map(([name, file]) => [name, readFileSync(file, 'utf8')])));
    for (const [, file] of files) rmSync(file);
  }
  return madeOf(metafile);
};

/** The sources of each function, without building. The list includes files that tree-shaking would drop. Throws when a source has an error. */
export const sourcesOf = async (folders: readonly string[]): Promise<Record<string, string[]>> => {
  const { metafile } = await build({
    ...bundleOptions('.'),
    entryPoints: [],
    stdin: { contents: folders.map((does) => `import './functions/${does}/main.ts';`).join('\n'), resolveDir: root },
    plugins: [...made.map(importingSources), namingFolders, lettingIn],
    packages: 'external',
    write: false,
    logLevel: 'silent',
  });
  const reachedFrom = (file: string): string[] => {
    const reached = new Set([file]);
    for (const source of reached) {
      for (const { path, external } of metafile?.inputs[source]?.imports ?? []) if (!external) reached.add(path);
    }
    return [...reached];
  };
  return Object.fromEntries(folders.map((does) => [functionName(does), reachedFrom(`functions/${does}/main.ts`)]));
};

const madeOf = (metafile: Metafile | undefined): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(metafile?.outputs ?? {})
      .filter(([file]) => file.endsWith('.js'))
      .map(([file, { inputs }]) => [
        basename(file, '.js'),
        Object.keys(inputs).filter((source) => !/node_modules|^replaced:/.test(source)),
      ]),
  );

/** The folder with a function's bundle, as it is uploaded. */
export const codeDirectory = (outdir: string, does: string): string => join(outdir, functionName(does));
