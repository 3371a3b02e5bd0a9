import { cpSync, existsSync, readFileSync, rmSync, type WatchListener, watch as watchFiles } from 'node:fs';
import { join } from 'node:path';
import { type BuildFailure, stop as stopBundling } from 'esbuild';
import * as z from 'zod';
import { bundle, sourcesFile } from '../bundle.ts';
import { functionFolders, functionName } from '../rows.ts';
import { complain } from './complaints.ts';
import type { Stack } from './stack.ts';
import { stampFile } from './synth.ts';

const root = join(import.meta.dirname, '..', '..');
/** Editors write a file in several steps. */
const settleMs = 50;

/**
 * Applies saved code: bundles the affected functions again, and replaces those whose bundle has changed. A change under `infra`
 * requires a new start, and a line says so.
 */
export const watchSources = (stack: Stack, say: (line: string) => void): { close(): Promise<void> } => {
  const outdir = join(stack.assembly, 'bundles');
  const sources = z
    .record(z.string(), z.array(z.string()))
    .parse(JSON.parse(readFileSync(join(outdir, sourcesFile), 'utf8')));
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let building = Promise.resolve();
  let isClosed = false;
  const closed = Promise.withResolvers<void>();
  const allBuilt = stack.bundles.all.catch(() => undefined);

  const rebuild = async (): Promise<void> => {
    const now = new Set(changed);
    const unbuilt = stack.blueprint.functions.filter((fn) => !existsSync(liveBundle(fn))).map(({ name }) => name);
    const folders = functionFolders.filter(
      (does) => isMadeOf(sources[functionName(does)], now) || unbuilt.includes(functionName(does)),
    );
    try {
      Object.assign(sources, await bundle(outdir, folders));
      for (const file of now) changed.delete(file);
    } catch (failure) {
      // Its process may have ended. The next build starts another.
      await stopBundling();
      return say(`Not reloaded: ${reasonOf(failure)}`);
    }
    const rebuilt = folders.map(functionName);
    const replaced = stack.blueprint.functions.filter((fn) => rebuilt.includes(fn.name) && replace(outdir, fn));
    if (replaced.length === 0) return;
    for (const { name } of replaced) stack.replaceCode(name);
    // The assembly no longer matches its stamp.
    rmSync(join(stack.assembly, stampFile), { force: true });
    say(`Reloaded ${replaced.map(({ name }) => name).join(', ')}`);
  };

  const noteIn = (folder: string) => (_: unknown, file: string | null) => {
    if (!/\.(ts|tsx|css|md|json)$/.test(file ?? '') || file?.endsWith('.test.ts')) return;
    changed.add(join(folder, String(file)));
    clearTimeout(timer);
    timer = setTimeout(() => {
      building = building.then(async () => {
        await Promise.race([allBuilt, closed.promise]);
        if (!isClosed) await rebuild();
      });
    }, settleMs);
  };

  const watch = (folder: string, note: WatchListener<string>) =>
    watchFiles(join(root, folder), { recursive: true }, note).on('error', ({ message }) =>
      complain(message, `Not all changes in ${folder} are noticed: ${message}`),
    );
  const watchers = [
    ...['functions', 'shared'].map((folder) => watch(folder, noteIn(folder))),
    watch('infra', (_, file) => {
      if (file && !file.startsWith('local')) say(`infra/${file} has changed: restart the stack to apply it`);
    }),
  ];
  return {
    close: async () => {
      clearTimeout(timer);
      isClosed = true;
      closed.resolve();
      for (const watcher of watchers) watcher.close();
      await building;
    },
  };
};

/** The API description comes from all contracts, so functions that bundle it may change with any of them. */
const isMadeOf = (sources: readonly string[] = [], changed: ReadonlySet<string>): boolean =>
  sources.some(
    (source) =>
      changed.has(source) ||
      source.startsWith('description:') ||
      (source.startsWith('dashboard:') && [...changed].some((file) => file.startsWith('shared/'))),
  );

const reasonOf = (failure: unknown): string => {
  const [error] = (failure as Partial<BuildFailure>).errors ?? [];
  return error?.text ?? String(failure);
};

type FunctionSpec = Stack['blueprint']['functions'][number];

/** Not there when its function could not be bundled. */
const liveBundle = ({ name, codeDirectory }: FunctionSpec): string => join(codeDirectory, `${name}.js`);

const replace = (outdir: string, fn: FunctionSpec): boolean => {
  const [built, live] = [join(outdir, fn.name, `${fn.name}.js`), liveBundle(fn)];
  if (existsSync(live) && readFileSync(built).equals(readFileSync(live))) return false;
  cpSync(built, live);
  return true;
};
