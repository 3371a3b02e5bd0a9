import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleSizes } from '../bundle-sizes.ts';

const runs = 3;

/** The fastest of a few loads in fresh processes, in milliseconds. */
const loadMs = (file: string): number => {
  const program = `const t = process.hrtime.bigint(); require(${JSON.stringify(file)}); console.log(Number(process.hrtime.bigint() - t) / 1e6)`;
  const env = { AWS_REGION: 'us-east-1', ...anySettings(readFileSync(file, 'utf8')) };
  const times = Array.from({ length: runs }, () =>
    Number(spawnSync(process.execPath, ['-e', program], { env, encoding: 'utf8' }).stdout),
  );
  return Math.min(...times);
};

/** All settings that a function may read while it loads. */
const anySettings = (bundle: string): Record<string, string> =>
  Object.fromEntries([...bundle.matchAll(/["'`]([A-Z][A-Z0-9_]{3,})["'`]/g)].map(([, name = '']) => [name, '1']));

/** Size and load time of every bundle, and their ratio to the same AWS clients and nothing else. */
export const benchBundles = async () => {
  const outdir = mkdtempSync(join(tmpdir(), 'bundles-'));
  const sizes = await bundleSizes(outdir);
  const floorMs = new Map([...new Set(sizes.map(({ floor }) => floor.file))].map((file) => [file, loadMs(file)]));
  const rows = sizes.map(({ name, file, bytes, floor }) => {
    const ms = loadMs(file);
    return {
      function: name,
      kilobytes: Math.round(bytes / 1_000),
      'size ÷ clients alone': (bytes / floor.bytes).toFixed(2),
      'load ms': Math.round(ms),
      'load ÷ clients alone': (ms / (floorMs.get(floor.file) ?? ms)).toFixed(2),
    };
  });
  rmSync(outdir, { recursive: true, force: true });
  return rows;
};
