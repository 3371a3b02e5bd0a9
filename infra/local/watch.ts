import { copyFileSync, readFileSync, rmSync, watch as watchFiles } from 'node:fs';
import { join } from 'node:path';
import { context } from 'esbuild';
import { bundleOptions } from '../bundle.ts';
import type { Stack } from './stack.ts';
import { stampFile } from './synth.ts';

const root = join(import.meta.dirname, '..', '..');
/** Editors write a file in several steps. */
const settleMs = 50;

/**
 * Puts saved code of functions live: bundles again, and replaces the functions whose bundle has changed. A change of what exists
 * (`infra`) needs a new start, and says so.
 */
export const watchSources = async (stack: Stack, say: (line: string) => void): Promise<{ close(): Promise<void> }> => {
  const outdir = join(stack.assembly, 'bundles');
  const building = await context({ ...bundleOptions(outdir), logLevel: 'silent' });
  let timer: NodeJS.Timeout | undefined;

  const rebuild = async (): Promise<void> => {
    const { errors } = await building.rebuild().catch((failed: { errors: { text: string }[] }) => failed);
    if (errors.length > 0) return say(`not replaced: ${errors[0]?.text}`);
    const replaced = stack.blueprint.functions.filter((fn) => replace(outdir, fn));
    for (const { name } of replaced) stack.replaceCode(name);
    // The assembly is not what its stamp says any more.
    if (replaced.length > 0) rmSync(join(stack.assembly, stampFile), { force: true });
    if (replaced.length > 0) say(`replaced ${replaced.map(({ name }) => name).join(', ')}`);
  };

  const watchers = [
    ...['functions', 'shared'].map((folder) =>
      watchFiles(join(root, folder), { recursive: true }, () => {
        clearTimeout(timer);
        timer = setTimeout(() => void rebuild(), settleMs);
      }),
    ),
    watchFiles(join(root, 'infra'), { recursive: true }, (_, file) => {
      if (file && !file.startsWith('local')) say(`infra/${file} has changed: start again to have it`);
    }),
  ];
  return {
    close: async () => {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
      await building.dispose();
    },
  };
};

const replace = (outdir: string, { name, codeDirectory }: Stack['blueprint']['functions'][number]): boolean => {
  const [built, live] = [join(outdir, name, `${name}.cjs`), join(codeDirectory, `${name}.cjs`)];
  if (readFileSync(built).equals(readFileSync(live))) return false;
  copyFileSync(built, live);
  return true;
};
