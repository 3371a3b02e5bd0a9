import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type BuildFailure, stop as stopBundling } from 'esbuild';
import * as z from 'zod';
import { bundle, sourcesFile, sourcesOf } from '../bundle.ts';
import { functionFolders, functionName } from '../rows.ts';
import { folderPrefix, isVirtual } from '../virtual-module.ts';
import { lotSize } from './bundles.ts';
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

  /**
   * The functions that are made of these files, or could not be built before. `awaited`: those that were called, and are quick to build,
   * because they bundle nothing that is made of other files.
   */
  const affectedBy = (changed: ReadonlySet<string>): { awaited?: string[]; later?: string[] } => {
    const unbuilt = stack.blueprint.functions.filter((fn) => !existsSync(liveBundle(fn))).map(({ name }) => name);
    const affected = functionFolders.filter((does) => {
      const name = functionName(does);
      return isMadeOf(knownSources()[name], changed) || unbuilt.includes(name);
    });
    return Object.groupBy(affected, (does) => {
      const name = functionName(does);
      return stack.functions.wasCalled(name) && !knownSources()[name]?.some(isVirtual) ? 'awaited' : 'later';
    });
  };

  /** Puts the new bundles of these functions in place of those that differ. Returns the names of those. */
  const apply = (folders: readonly string[]): readonly string[] => {
    const names = folders.map(functionName);
    const replaced = stack.blueprint.functions.filter((fn) => names.includes(fn.name) && replace(outdir, fn));
    // The assembly no longer matches its stamp.
    if (replaced.length > 0) rmSync(join(stack.assembly, stampFile), { force: true });
    for (const { name } of replaced) stack.functions.replaceCode(name);
    return replaced.map(({ name }) => name);
  };

  /** Builds and applies these in lots, until all are built or something else is saved. Returns whether all are built. */
  const buildInLots = async (folders: readonly string[] = []): Promise<boolean> => {
    const left = [...folders];
    const replaced: string[] = [];
    while (left.length > 0 && !builds.isWaiting()) {
      const lot = left.splice(0, lotSize);
      await bundle(outdir, lot);
      if (isClosed) return false;
      replaced.push(...apply(lot));
      // Not those of the bundles: constants of a module may be in one without its name.
      Object.assign(knownSources(), await sourcesOf(lot));
    }
    if (replaced.length > 0) say(reloaded(replaced));
    return left.length === 0;
  };

  /** Applies these files to all functions that are made of them. What is not built is built with the next files. */
  const rebuild = async (changed: ReadonlySet<string>): Promise<boolean> => {
    if (isClosed) return false;
    try {
      const { awaited, later } = affectedBy(changed);
      return (await buildInLots(awaited)) && (await buildInLots(later));
    } catch (failure) {
      if (isClosed) return false;
      // Its process may have ended. The next build starts another.
      await stopBundling();
      say(`Not reloaded: ${buildErrorOf(failure)}`);
      return false;
    }
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
    /** Whether something was saved since the build under way began. */
    isWaiting: (): boolean => waiting.size > 0,
  };
};

/** Whether a function with these sources may differ after a change of these files. */
export const isMadeOf = (sources: readonly string[] = [], changed: ReadonlySet<string>): boolean =>
  sources.some(
    (source) =>
      changed.has(source) ||
      (source.startsWith(folderPrefix) &&
        changed.values().some((file) => file.startsWith(source.slice(folderPrefix.length)))),
  );

const buildErrorOf = (failure: unknown): string => {
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
