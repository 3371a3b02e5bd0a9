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
  wasCalled(): boolean;
  close(): Promise<void>;
}

interface PoolOptions {
  /** The function's own environment overrides it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly log: number;
  readonly maximumInstances: number;
  /** An instance that has had no call for so long ends, as on Lambda. */
  readonly idleMs: number;
}

const neverBegun: Invocation = {
  ok: false,
  reason: 'noInstance',
  errorType: 'Runtime.NoInstance',
  errorMessage: 'No instance of the function became free in time',
};

/** The assumed duration of a function's first start. */
const firstStartMs = 1_000;

/**
 * All instances of one function. Lambda starts another instance whenever all are busy. Here a call first waits for a busy one, as long as a start
 * takes for each that there is, and one instance starts at a time: most calls end sooner, and starts cost the machine most. Without that a burst
 * of webhooks starts ten of each function on two cores, and comes later for it.
 */
export const startPool = (
  spec: FunctionSpec,
  { environment, log, maximumInstances, idleMs }: PoolOptions,
): FunctionPool => {
  const turns = startTurns(maximumInstances);
  const alive = new Set<FunctionInstance>();
  const retired = new Set<FunctionInstance>();
  /** With what ends each in its time. The most recently used is last, and is used first. */
  const idle = new Map<FunctionInstance, NodeJS.Timeout>();
  /** Calls that wait for an instance, in order. */
  const waiting = new Set<(instance: FunctionInstance) => void>();
  let startMs = firstStartMs;
  let isStarting = false;
  let wasCalled = false;
  let isClosed = false;

  const addInstance = (): FunctionInstance => {
    wasCalled = true;
    const instance = startInstance(spec, {
      environment: environmentOf(spec, environment),
      log,
      onStart: (tookMs) => {
        startMs = tookMs;
        isStarting = false;
      },
      onEnd: () => {
        isStarting = false;
        clearTimeout(idle.get(instance));
        for (const all of [alive, retired, idle]) all.delete(instance);
      },
    });
    // Not before: where the machine refuses another process, nothing is starting.
    isStarting = true;
    alive.add(instance);
    return instance;
  };

  /** Undefined when none becomes idle in the time of a start, or until then. */
  const nextIdle = (untilMs: number): Promise<FunctionInstance | undefined> =>
    new Promise((resolve) => {
      const endMs = Math.min(performance.now() + startMs * alive.size, untilMs);
      let timer: NodeJS.Timeout | undefined;
      const settle = (instance?: FunctionInstance): void => {
        clearTimeout(timer);
        waiting.delete(settle);
        resolve(instance);
      };
      // A timer counts whole milliseconds and may end up to two early: another one waits for the rest.
      const wait = (): void => {
        const leftMs = endMs - performance.now();
        if (leftMs > 0) timer = setTimeout(wait, leftMs);
        else settle();
      };
      waiting.add(settle);
      wait();
    });

  const endRest = (instance: FunctionInstance): void => {
    clearTimeout(idle.get(instance));
    idle.delete(instance);
  };

  const rest = (instance: FunctionInstance): void => {
    const end = setTimeout(() => {
      idle.delete(instance);
      alive.delete(instance);
      void instance.stop();
    }, idleMs);
    idle.set(instance, end.unref());
  };

  const lastIdle = (): FunctionInstance | undefined => {
    const instance = [...idle.keys()].at(-1);
    if (instance) endRest(instance);
    return instance;
  };

  /** Undefined when the pool is closed, or when there is none until then. */
  const takeInstance = async (untilMs: number): Promise<FunctionInstance | undefined> => {
    const isOver = (): boolean => isClosed || performance.now() >= untilMs;
    while (!isOver()) {
      const free = lastIdle() ?? (alive.size > 0 ? await nextIdle(untilMs) : undefined);
      if (free) return free;
      if (!isOver() && !isStarting) return addInstance();
    }
    return undefined;
  };

  const release = (instance: FunctionInstance): void => {
    const [next] = waiting;
    if (next) next(instance);
    else rest(instance);
  };

  const runOnFreeInstance = async (eventText: string, untilMs: number): Promise<Invocation> => {
    const instance = await takeInstance(untilMs);
    if (!instance) return isClosed ? crashed('the stack is stopping') : neverBegun;
    const invocation = await instance.run(eventText);
    if (retired.has(instance)) await instance.stop();
    if (alive.has(instance)) release(instance);
    return invocation;
  };

  return {
    invoke: async (event, deadlineMs) => {
      const untilMs = performance.now() + (deadlineMs ?? Number.POSITIVE_INFINITY);
      const eventText = JSON.stringify(event) ?? 'null';
      if (deadlineMs === 0 || !(await turns.take(deadlineMs))) return neverBegun;
      try {
        const invocation = await runOnFreeInstance(eventText, untilMs);
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
      for (const instance of idle.keys()) {
        endRest(instance);
        void instance.stop();
      }
    },

    wasCalled: () => wasCalled,

    close: async () => {
      isClosed = true;
      await Promise.all([...alive].map((instance) => instance.stop()));
    },
  };
};
