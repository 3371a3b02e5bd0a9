import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from '../../infra/bundle.ts';
import { functionFolders, functionName } from '../../infra/rows.ts';
import type { Figures, FunctionFigure, OperationFigure } from '../../shared/docs/figures.ts';
import { bundleSizes } from '../bundle-sizes.ts';
import { type Measured, measureOperations } from '../cost/operations.ts';
import { dollarsPerMillion, durationMs, processorMsOf, type Step } from '../cost/usage.ts';

/** An odd number, so that one of the ratios is their median. */
const loads = 5;
const rounded = (value: number): number => Math.round(value * 100) / 100;

/** The counts of one operation, which are the same on every machine, and what follows from them by tables. */
export const operationFigureOf = ({ name, load, operations, steps }: Measured): OperationFigure => {
  const each = (of: (step: Step) => number): number =>
    rounded(steps.reduce((sum, step) => sum + of(step), 0) / operations);
  const request = steps.find(({ isRequest }) => isRequest);
  return {
    name,
    load,
    reads: each(({ calls }) => calls.read),
    writes: each(({ calls }) => calls.write),
    transactions: each(({ calls }) => calls.transaction),
    readUnits: each(({ units }) => units.Read),
    writeUnits: each(({ units }) => units.Write),
    queueRequests: each(({ queueRequests }) => queueRequests),
    logBytes: Math.round(each(({ logBytes }) => logBytes)),
    processorMs: each(processorMsOf),
    requestMs: request ? durationMs(request) : 0,
    dollarsPerMillion: rounded(dollarsPerMillion(steps, operations).together),
  };
};

/** Any value for each environment variable that a bundle reads. */
const anySettings = (bundle: string): Record<string, string> =>
  Object.fromEntries([...bundle.matchAll(/["'`]([A-Z][A-Z0-9_]{3,})["'`]/g)].map(([, name = '']) => [name, '1']));

interface Loaded {
  readonly ms: number;
  /** Of all threads, user and system together, because their shares are only sampled. Other work on the machine hardly changes it. */
  readonly processorMs: number;
  readonly megabytes: number;
}

/** What a load takes in a new process. */
const loaded = (file: string): Loaded => {
  const program = `const [began, before] = [performance.now(), process.cpuUsage()]; require(${JSON.stringify(file)});
const [ms, { user, system }] = [performance.now() - began, process.cpuUsage(before)];
console.log(JSON.stringify({ ms, processorMs: (user + system) / 1e3, megabytes: process.memoryUsage().rss / 1e6 }))`;
  const env = { AWS_REGION: 'us-east-1', ...anySettings(readFileSync(file, 'utf8')) };
  return JSON.parse(spawnSync(process.execPath, ['-e', program], { env, encoding: 'utf8' }).stdout);
};

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const measureFunctions = async (): Promise<readonly FunctionFigure[]> => {
  const outdir = mkdtempSync(join(tmpdir(), 'bundles-'));
  await bundle(outdir);
  const bundles = functionFolders.map(functionName).map((name) => ({ name, file: join(outdir, name, `${name}.js`) }));
  const figures = (await bundleSizes(bundles, outdir)).map(({ name, file, bytes, floor }) => {
    // Each beside the other, so that a slow moment slows both.
    const tries = Array.from({ length: loads }, () => ({ own: loaded(file), clients: loaded(floor.file) }));
    return {
      name,
      kilobytes: Math.round(bytes / 1_000),
      loadMs: Math.round(Math.min(...tries.map(({ own }) => own.ms))),
      loadRatio: rounded(median(tries.map(({ own, clients }) => own.processorMs / clients.processorMs))),
      memoryMegabytes: Math.round(Math.min(...tries.map(({ own }) => own.megabytes))),
    };
  });
  rmSync(outdir, { recursive: true, force: true });
  return figures.toSorted((a, b) => a.name.localeCompare(b.name));
};

export const benchFigures = async (): Promise<Figures> => ({
  operations: (await measureOperations()).map(operationFigureOf),
  functions: await measureFunctions(),
});

/** Keeps the figures for the documentation. */
export const keepFigures = (figures: Figures): void =>
  writeFileSync('shared/docs/figures.json', `${JSON.stringify(figures, null, 2)}\n`);
