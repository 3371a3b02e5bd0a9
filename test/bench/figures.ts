import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from '../../infra/bundle.ts';
import { functionFolders, functionName } from '../../infra/rows.ts';
import type { Figures, FunctionFigure, OperationFigure } from '../../shared/docs/figures.ts';
import { bundleSizes } from '../bundle-sizes.ts';
import { type Measured, measureOperations } from '../cost/operations.ts';
import { dollarsPerMillion, durationMs, processorMsOf, type Step } from '../cost/usage.ts';
import { loaded } from '../loaded.ts';

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
