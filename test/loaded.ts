import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Any value for each environment variable that a bundle reads. */
const anySettings = (bundle: string): Record<string, string> =>
  Object.fromEntries([...bundle.matchAll(/["'`]([A-Z][A-Z0-9_]{3,})["'`]/g)].map(([, name = '']) => [name, '1']));

/** What a program prints that has this bundle as `process.argv[1]`, in a new process. */
const printedBy = (program: string, file: string) => {
  const env = { AWS_REGION: 'us-east-1', ...anySettings(readFileSync(file, 'utf8')) };
  return JSON.parse(spawnSync(process.execPath, ['-e', program, file], { env, encoding: 'utf8' }).stdout);
};

interface Loaded {
  readonly ms: number;
  /** Of all threads, user and system together, because their shares are only sampled. Other work on the machine raises it less than the time. */
  readonly processorMs: number;
  readonly megabytes: number;
}

/** What it takes to load a bundle. */
export const loaded = (file: string): Loaded =>
  printedBy(
    `const [began, before] = [performance.now(), process.cpuUsage()]; require(process.argv[1]);
const [ms, { user, system }] = [performance.now() - began, process.cpuUsage(before)];
console.log(JSON.stringify({ ms, processorMs: (user + system) / 1e3, megabytes: process.memoryUsage().rss / 1e6 }))`,
    file,
  );

/** How often functions of a bundle are called while it loads: the same each time, whatever else the machine does. */
export const callsOfLoad = (file: string): number =>
  printedBy(
    `const session = new (require('node:inspector').Session)();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true });
require(process.argv[1]);
session.post('Profiler.takePreciseCoverage', (_, { result }) => {
  const { functions } = result.find(({ url }) => url.endsWith(process.argv[1]));
  console.log(functions.reduce((sum, { ranges }) => sum + ranges[0].count, 0));
});`,
    file,
  );
