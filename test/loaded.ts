import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Any value for each environment variable that a bundle reads. */
const anySettings = (bundle: string): Record<string, string> =>
  Object.fromEntries([...bundle.matchAll(/["'`]([A-Z][A-Z0-9_]{3,})["'`]/g)].map(([, name = '']) => [name, '1']));

interface Loaded {
  readonly ms: number;
  /** Of all threads, user and system together, because their shares are only sampled. Other work on the machine hardly changes it. */
  readonly processorMs: number;
  readonly megabytes: number;
}

/** What it takes to load a bundle in a new process. */
export const loaded = (file: string): Loaded => {
  const program = `const [began, before] = [performance.now(), process.cpuUsage()]; require(${JSON.stringify(file)});
const [ms, { user, system }] = [performance.now() - began, process.cpuUsage(before)];
console.log(JSON.stringify({ ms, processorMs: (user + system) / 1e3, megabytes: process.memoryUsage().rss / 1e6 }))`;
  const env = { AWS_REGION: 'us-east-1', ...anySettings(readFileSync(file, 'utf8')) };
  return JSON.parse(spawnSync(process.execPath, ['-e', program], { env, encoding: 'utf8' }).stdout);
};
