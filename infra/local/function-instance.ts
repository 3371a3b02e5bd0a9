import { fork } from 'node:child_process';
import * as z from 'zod';
import type { FunctionSpec } from './blueprint.ts';
import type { FunctionCall, FunctionReport } from './function-process.ts';
import { dateAheadMs } from './shifted-date.ts';

/** The outcome of one call. `reason` says what ended it: the handler, the timeout, or the end of its process; or that no instance became free for it. */
export type Invocation =
  | { readonly ok: true; readonly payload: unknown }
  | {
      readonly ok: false;
      readonly errorType: string;
      readonly errorMessage: string;
      readonly reason: 'error' | 'timeout' | 'crash' | 'noInstance';
    };

/** One warm copy of a function: a process with the bundle's state in it, for one event at a time. */
export interface FunctionInstance {
  /** Never rejects. After a failed start, a timeout or a crash the process is gone, and `onEnd` was called. */
  run(eventText: string): Promise<Invocation>;
  stop(): Promise<void>;
}

interface InstanceOptions {
  readonly environment: Readonly<Record<string, string>>;
  /** An open file descriptor for the function's output. */
  readonly log: number;
  /** The bundle is loaded. */
  onStart(tookMs: number): void;
  onEnd(): void;
}

const program = new URL('./function-process.ts', import.meta.url);
/** Lambda restarts an init that exceeds 10 s, under the function's own timeout. */
const initLimitSeconds = 30;

const reportSchema: z.ZodType<FunctionReport> = z.union([
  z.object({ payloadText: z.string() }),
  z.object({ errorType: z.string(), errorMessage: z.string() }),
]);

/** Lambda takes no longer answer of a function that is waited for. */
const mostPayloadBytes = 6_291_556;

const invocationOf = (report: FunctionReport): Invocation => {
  if (!('payloadText' in report)) return { ok: false, reason: 'error', ...report };
  const bytes = Buffer.byteLength(report.payloadText);
  return bytes > mostPayloadBytes ? tooLarge(bytes) : { ok: true, payload: JSON.parse(report.payloadText) };
};

const tooLarge = (bytes: number): Invocation => ({
  ok: false,
  reason: 'error',
  errorType: 'Function.ResponseSizeTooLarge',
  errorMessage: `Response payload size (${bytes} bytes) exceeded maximum allowed payload size (${mostPayloadBytes} bytes).`,
});

const timedOut = (limitSeconds: number): Invocation => ({
  ok: false,
  reason: 'timeout',
  errorType: 'Sandbox.Timedout',
  errorMessage: `Task timed out after ${limitSeconds.toFixed(2)} seconds`,
});

/** A call whose process ended before it answered. */
export const crashed = (how: string): Invocation => ({
  ok: false,
  reason: 'crash',
  errorType: 'Runtime.ExitError',
  errorMessage: `Runtime exited with error: ${how}`,
});

/**
 * A process, not a worker thread: a thread that runs out of memory usually ends the whole process (measured), and only a process has its
 * own environment, time zone and synchronous log.
 */
export const startInstance = (
  spec: FunctionSpec,
  { environment, log, onStart, onEnd }: InstanceOptions,
): FunctionInstance => {
  // Before the fork, which on a busy machine takes most of a start.
  const beganMs = performance.now();
  const child = fork(program, [spec.arn, String(spec.timeoutSeconds), String(dateAheadMs())], {
    cwd: spec.codeDirectory,
    env: environment,
    execArgv: [`--max-old-space-size=${spec.memoryMegabytes}`],
    serialization: 'advanced',
    stdio: ['ignore', log, log, 'ipc'],
  });
  const ended = Promise.withResolvers<void>();
  let overrunSeconds: number | undefined;
  let hear: (invocation: Invocation) => void = () => undefined;

  const nextAnswer = (limitSeconds: number): Promise<Invocation> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => {
        overrunSeconds = limitSeconds;
        child.kill('SIGKILL');
      }, limitSeconds * 1_000);
      hear = (invocation) => {
        clearTimeout(timer);
        resolve(invocation);
      };
    });

  const end = (how: string): void => {
    onEnd();
    ended.resolve();
    hear(overrunSeconds === undefined ? crashed(how) : timedOut(overrunSeconds));
  };

  child.on('exit', (code, signal) => end(signal === null ? `exit status ${code}` : `signal ${signal}`));
  child.on('error', (error) => end(error.message));
  child.on('message', (message) => {
    const report = reportSchema.safeParse(message);
    if (report.success && !child.killed) hear(invocationOf(report.data));
  });

  const initialised = nextAnswer(initLimitSeconds);
  void initialised.then(({ ok }) => ok && onStart(performance.now() - beganMs));
  const stop = (): Promise<void> => {
    child.kill('SIGKILL');
    return ended.promise;
  };

  return {
    run: async (eventText) => {
      const init = await initialised;
      if (!init.ok) {
        await stop();
        return init;
      }
      const answer = nextAnswer(spec.timeoutSeconds);
      // The exit event reports a process that has ended, so a failed send needs no second report.
      const call: FunctionCall = { eventText, aheadMs: dateAheadMs() };
      child.send(call, () => undefined);
      return answer;
    },
    stop,
  };
};
