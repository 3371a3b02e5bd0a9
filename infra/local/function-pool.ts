import { writeSync } from 'node:fs';
import type { FunctionSpec } from './blueprint.ts';
import { environmentOf } from './function-environment.ts';
import { crashed, type FunctionInstance, type Invocation, startInstance } from './function-instance.ts';
import { startTurns } from './function-turns.ts';

export interface FunctionPool {
  /** Calls beyond the maximum of instances wait in order. A call that finds no instance before `deadlineMs` never begins. */
  invoke(event: unknown, deadlineMs?: number): Promise<Invocation>;
  /** Idle instances go at once, busy ones when their call has ended. */
  replaceCode(): void;
  close(): Promise<void>;
}

interface PoolOptions {
  /** The function's own environment overrides it. */
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
  /** The most recently used is last, and is used first. */
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
        // The log has the handler's error and its stack already.
        const isNews = !(invocation.ok || invocation.reason === 'error' || isClosed);
        if (isNews) writeSync(log, `${JSON.stringify({ level: 'error', ...invocation })}\n`);
        return invocation;
      } catch (error) {
        // The machine cannot start another process.
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
