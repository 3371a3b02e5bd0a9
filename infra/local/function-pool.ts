import { writeSync } from 'node:fs';
import type { FunctionSpec } from './blueprint.ts';
import { environmentOf } from './function-environment.ts';
import { crashed, type FunctionInstance, type Invocation, startInstance } from './function-instance.ts';
import { startTurns } from './function-turns.ts';

export interface FunctionPool {
  /** Calls beyond the maximum of instances wait in order. One that has found none by `deadlineMs` is never begun. */
  invoke(event: unknown, deadlineMs?: number): Promise<Invocation>;
  /** Idle instances go at once, busy ones when their call has ended. */
  replaceCode(): void;
  close(): Promise<void>;
}

interface PoolOptions {
  /** Added under the function's own. */
  readonly environment: Readonly<Record<string, string>>;
  readonly log: number;
  readonly maximumInstances: number;
}

const neverBegun: Invocation = {
  ok: false,
  reason: 'timeout',
  errorType: 'Runtime.NoInstance',
  errorMessage: 'No instance of the function became free in time',
};

/** All instances of one function. */
export const startPool = (spec: FunctionSpec, { environment, log, maximumInstances }: PoolOptions): FunctionPool => {
  const turns = startTurns(maximumInstances);
  const alive = new Set<FunctionInstance>();
  const retired = new Set<FunctionInstance>();
  /** The most recently used one last: it is taken first. */
  const idle = new Set<FunctionInstance>();
  let isClosed = false;

  const addInstance = (): FunctionInstance => {
    const instance = startInstance(spec, {
      environment: environmentOf(spec, environment),
      log,
      onEnd: () => {
        for (const set of [alive, retired, idle]) set.delete(instance);
      },
    });
    alive.add(instance);
    return instance;
  };

  const runOnFreeInstance = async (eventText: string): Promise<Invocation> => {
    if (isClosed) return crashed('the stack is stopping');
    const instance = [...idle].at(-1) ?? addInstance();
    idle.delete(instance);
    const invocation = await instance.run(eventText);
    if (retired.has(instance)) await instance.stop();
    if (alive.has(instance)) idle.add(instance);
    return invocation;
  };

  return {
    invoke: async (event, deadlineMs) => {
      const eventText = JSON.stringify(event) ?? 'null';
      if (!(await turns.take(deadlineMs))) return neverBegun;
      try {
        const invocation = await runOnFreeInstance(eventText);
        // What the handler threw is in the log already, with its stack.
        const isNews = !(invocation.ok || invocation.reason === 'error' || isClosed);
        if (isNews) writeSync(log, `${JSON.stringify({ level: 'error', ...invocation })}\n`);
        return invocation;
      } catch (error) {
        // The machine has no room for another process.
        return crashed(String(error));
      } finally {
        turns.giveBack();
      }
    },

    replaceCode: () => {
      for (const instance of alive) retired.add(instance);
      for (const instance of idle) void instance.stop();
      idle.clear();
    },

    close: async () => {
      isClosed = true;
      await Promise.all([...alive].map((instance) => instance.stop()));
    },
  };
};
