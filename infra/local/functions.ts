import { closeSync, existsSync, mkdirSync, openSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { dayMs, minuteMs } from '../../shared/kit/time-units.ts';
import type { FunctionSpec } from './blueprint.ts';
import type { Bundles } from './bundles.ts';
import type { Invocation } from './function-instance.ts';
import { type FunctionPool, startPool } from './function-pool.ts';
import { machineNowMs } from './shifted-date.ts';

export interface Functions {
  /**
   * Runs a function as Lambda's synchronous Invoke does. An error of the function is in the answer, and never thrown.
   * A call that finds no free instance within `deadlineMs`, or within `mostWaitMs` of its code being there, never begins.
   */
  invoke(functionNameOrArn: string, event: unknown, options?: { readonly deadlineMs?: number }): Promise<Invocation>;
  /** The bundle on disk has changed: later calls run the new one. */
  replaceCode(functionName: string): void;
  /** Since the stack started. */
  wasCalled(functionName: string): boolean;
  /** Ends every instance; a call still running is answered as a crash. */
  close(): Promise<void>;
}

export interface FunctionsOptions {
  /** Endpoints, region and credentials, under each function's own environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Holds one file per function, `<name>.log`, with the output of its instances. */
  readonly logDirectory: string;
  /** A call waits until the code of its function is there. */
  readonly whenBuilt?: Bundles['whenBuilt'];
  /** How many calls of one function run at a time. */
  readonly maximumInstances?: number;
  /** For how long an instance without a call is kept warm. */
  readonly idleMs?: number;
  /**
   * For how long a call that has a deadline waits for a busy function. A call that begins just before its deadline is answered after it: with more
   * calls than the function can answer, each would, and none would be answered in time.
   */
  readonly mostWaitMs?: number;
}

/** Runs the functions of the templates as Lambda does: instances start when a call needs one, and stay warm while calls come. */
export const startFunctions = (
  specs: readonly FunctionSpec[],
  {
    environment,
    logDirectory,
    whenBuilt = async () => undefined,
    maximumInstances = 10,
    idleMs = 10 * minuteMs,
    mostWaitMs = 10_000,
  }: FunctionsOptions,
): Functions => {
  mkdirSync(logDirectory, { recursive: true });
  const logs: number[] = [];
  const pools = new Map<string, { readonly name: string; readonly pool: FunctionPool }>();
  for (const spec of specs) {
    const log = openLog(join(logDirectory, `${spec.name}.log`));
    const pool = startPool(spec, { environment, log, maximumInstances, idleMs });
    logs.push(log);
    const entry = { name: spec.name, pool };
    pools.set(spec.name, entry).set(spec.arn, entry);
  }

  return {
    invoke: async (functionNameOrArn, event, { deadlineMs } = {}) => {
      const entry = pools.get(functionNameOrArn);
      if (!entry) return unknown(functionNameOrArn);
      const beganMs = performance.now();
      // Only calls by the HTTP API have a deadline.
      await whenBuilt(entry.name, deadlineMs !== undefined);
      const leftMs = deadlineMs && Math.max(0, deadlineMs - (performance.now() - beganMs));
      return entry.pool.invoke(event, leftMs && Math.min(leftMs, mostWaitMs));
    },
    replaceCode: (functionName) => pools.get(functionName)?.pool.replaceCode(),
    wasCalled: (functionName) => pools.get(functionName)?.pool.wasCalled() === true,
    close: async () => {
      await Promise.all([...pools.values()].map(({ pool }) => pool.close()));
      logs.splice(0).forEach(closeSync);
    },
  };
};

/** A log is emptied at a start when it is a day old or larger than this. */
const mostLogBytes = 32 * 1024 * 1024;

const openLog = (file: string): number => {
  const { size, mtimeMs } = existsSync(file) ? statSync(file) : { size: 0, mtimeMs: 0 };
  if (size > mostLogBytes || (size > 0 && mtimeMs < machineNowMs() - dayMs)) truncateSync(file);
  return openSync(file, 'a');
};

const unknown = (name: string): Invocation => ({
  ok: false,
  reason: 'error',
  errorType: 'ResourceNotFoundException',
  errorMessage: `Function not found: ${name}`,
});
