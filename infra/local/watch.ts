import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type BuildFailure, stop as stopBundling } from 'esbuild';
import * as z from 'zod';
import { bundle, sourcesFile, sourcesOf } from '../bundle.ts';
import { functionFolders, functionName } from '../rows.ts';
import { complain } from './complaints.ts';
import type { Stack } from './stack.ts';
import { isHidden, stampFile } from './synth.ts';
import { watchFolders } from './watch-folders.ts';

const root = join(import.meta.dirname, '..', '..');

/**
 * Applies saved code: bundles the affected functions again, and replaces those whose bundle has changed. A change under `infra`
 * requires a new start, and a line says so. A build that is running when it is closed is not waited for, and not applied.
 */
export const watchSources = (stack: Stack, say: (line: string) => void): { close(): void } => {
  const outdir = join(stack.assembly, 'bundles');
  let known: Record<string, string[]> | undefined;
  /** Read at the first change: the list is a megabyte, and most runs see none. */
  const knownSources = (): Record<string, string[]> => {
    known ??= sourcesSchema.parse(JSON.parse(readFileSync(join(outdir, sourcesFile), 'utf8')));
    return known;
  };
  let isClosed = false;
  const allBuilt = stack.bundles.all.catch(() => undefined);

  /** Bundles again what is made of these files. Returns the names of the functions, or undefined when they could not be built. */
  const build = async (changed: ReadonlySet<string>): Promise<readonly string[] | undefined> => {
    const unbuilt = stack.blueprint.functions.filter((fn) => !existsSync(liveBundle(fn))).map(({ name }) => name);
    try {
      const sources = knownSources();
      const folders = functionFolders.filter(
        (does) => isMadeOf(sources[functionName(does)], changed) || unbuilt.includes(functionName(does)),
      );
      await bundle(outdir, folders);
      // Not those of the bundles: constants of a module may be in one without its name.
      Object.assign(sources, await sourcesOf(folders));
      return folders.map(functionName);
    } catch (failure) {
      if (isClosed) return undefined;
      // Its process may have ended. The next build starts another.
      await stopBundling();
      say(`Not reloaded: ${reasonOf(failure)}`);
      return undefined;
    }
  };

  /** Returns whether it could be built. */
  const rebuild = async (changed: ReadonlySet<string>): Promise<boolean> => {
    if (isClosed) return false;
    const rebuilt = await build(changed);
    if (!rebuilt || isClosed) return false;
    const replaced = stack.blueprint.functions.filter((fn) => rebuilt.includes(fn.name) && replace(outdir, fn));
    if (replaced.length === 0) return true;
    for (const { name } of replaced) stack.replaceCode(name);
    // The assembly no longer matches its stamp.
    rmSync(join(stack.assembly, stampFile), { force: true });
    say(reloaded(replaced.map(({ name }) => name)));
    return true;
  };

  const builds = openBuilds(allBuilt, rebuild);
  const watcher = watchFolders(
    ['functions', 'shared', 'infra'].map((folder) => join(root, folder)),
    {
      onChanged: (paths) => {
        const files = paths.map((path) => relative(root, path)).filter(isSource);
        const code = files.filter((file) => !file.startsWith('infra/'));
        if (code.length > 0) builds.add(code);
        const infra = files.filter((file) => /^infra\/(?!local\/).*\.(ts|json)$/.test(file));
        for (const file of infra) say(`${file} has changed: restart the stack to apply it`);
      },
      onError: (message) => complain('not all changes are noticed', `Not all changes are noticed: ${message}`),
    },
  );
  return {
    close: () => {
      isClosed = true;
      watcher.close();
    },
  };
};

const mostNamed = 5;

export const reloaded = (names: readonly string[]): string =>
  `Reloaded ${names.length > mostNamed ? `${names.length} functions` : names.join(', ')}`;

const sourcesSchema = z.record(z.string(), z.array(z.string()));

const isSource = (file: string): boolean =>
  /\.(ts|tsx|css|md|json)$/.test(file) && !file.endsWith('.test.ts') && !isHidden(file);

/**
 * Builds one after the other, from when `ready` resolves: each of the files that were saved since the one before began, and of those that could
 * not be built.
 */
export const openBuilds = (ready: Promise<void>, build: (files: ReadonlySet<string>) => Promise<boolean>) => {
  const waiting = new Set<string>();
  let last = ready;
  const buildWaiting = async (): Promise<void> => {
    const files = new Set(waiting);
    waiting.clear();
    if (files.size > 0 && !(await build(files))) for (const file of files) waiting.add(file);
  };
  return {
    add: (files: readonly string[]): void => {
      for (const file of files) waiting.add(file);
      last = last.then(buildWaiting);
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
