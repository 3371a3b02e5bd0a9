import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { bundleOptions } from '../../infra/bundle.ts';
import { functionFolders, functionName } from '../../infra/rows.ts';

const runs = 2;
const clientOf: Readonly<Record<string, string>> = {
  '@aws-sdk/client-dynamodb': 'DynamoDBClient',
  '@aws-sdk/client-kms': 'KMSClient',
  '@aws-sdk/client-ses': 'SESClient',
  '@aws-sdk/client-sqs': 'SQSClient',
  '@aws-sdk/client-scheduler': 'SchedulerClient',
};

/** The fastest of a few loads in fresh processes, in milliseconds. */
const loadMs = (file: string, environment: Readonly<Record<string, string>>): number => {
  const program = `const t = process.hrtime.bigint(); require(${JSON.stringify(file)}); console.log(Number(process.hrtime.bigint() - t) / 1e6)`;
  const times = Array.from({ length: runs }, () =>
    Number(spawnSync(process.execPath, ['-e', program], { env: environment, encoding: 'utf8' }).stdout),
  );
  return Math.min(...times);
};

/** All settings that a function may read while it loads. */
const anySettings = (bundle: string): Record<string, string> =>
  Object.fromEntries([...bundle.matchAll(/["'`]([A-Z][A-Z0-9_]{3,})["'`]/g)].map(([, name = '']) => [name, '1']));

/** Size and load time of every bundle, and their ratio to a function with the same AWS clients and nothing else. */
export const benchBundles = async () => {
  const outdir = mkdtempSync(join(tmpdir(), 'bundles-'));
  const { metafile } = await (await import('esbuild')).build({ ...bundleOptions(outdir), metafile: true });
  const floors = new Map<string, { kilobytes: number; ms: number }>();
  const floorOf = (clients: readonly string[]) => {
    const key = clients.join('+');
    const known = floors.get(key);
    if (known) return known;
    const source = join(outdir, `floor-${floors.size}.ts`);
    const lines = clients.map(
      (name) =>
        `import { ${clientOf[name]} } from '${name}'; export const ${clientOf[name]}Made = new ${clientOf[name]}();`,
    );
    if (clients.includes('@aws-sdk/client-dynamodb'))
      lines.push("export { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';");
    writeFileSync(
      source,
      `import middy from '@middy/core'; import * as z from 'zod'; export const m = middy; export const o = z.object({});${lines.join('\n')}`,
    );
    const file = join(outdir, `floor-${floors.size}.cjs`);
    buildSync({
      ...bundleOptions(outdir),
      plugins: [],
      entryPoints: [source],
      outfile: file,
      outdir: '',
      nodePaths: ['node_modules'],
      outExtension: {},
    });
    const floor = { kilobytes: statSync(file).size / 1_000, ms: loadMs(file, { AWS_REGION: 'us-east-1' }) };
    floors.set(key, floor);
    return floor;
  };
  const rows = functionFolders.map((does) => {
    const name = functionName(does);
    const file = join(outdir, name, `${name}.js`);
    const inputs = Object.keys(
      Object.entries(metafile?.outputs ?? {}).find(([path]) => path.endsWith(`${name}/${name}.js`))?.[1].inputs ?? {},
    );
    const clients = Object.keys(clientOf).filter((client) =>
      inputs.some((input) => input.includes(`node_modules/${client}/`)),
    );
    const text = readFileSync(file, 'utf8');
    const mine = {
      kilobytes: text.length / 1_000,
      ms: loadMs(file, { AWS_REGION: 'us-east-1', ...anySettings(text) }),
    };
    const floor = floorOf(clients);
    return {
      function: name,
      kilobytes: Math.round(mine.kilobytes),
      'size ÷ clients alone': (mine.kilobytes / floor.kilobytes).toFixed(2),
      'load ms': Math.round(mine.ms),
      'load ÷ clients alone': (mine.ms / floor.ms).toFixed(2),
    };
  });
  rmSync(outdir, { recursive: true, force: true });
  return rows;
};
