import { putDateAhead } from './shifted-date.ts';

// The program of one instance's process: loads the bundle, then answers one event at a time, as Lambda's runtime does.

// An import of Node's modules would load all that they export, and one of the bundle would read it twice: a sixth of a start.
const { getBuiltinModule } = process;
const { existsSync } = getBuiltinModule('node:fs');
const { createRequire, flushCompileCache } = getBuiltinModule('node:module');
const { join } = getBuiltinModule('node:path');

/** What an instance is sent: an event, and how far the stack's clock is ahead of the machine's. */
export interface FunctionCall {
  readonly eventText: string;
  readonly aheadMs: number;
}

/** What an instance sends: first the result of its start, then one report for each event. */
export type FunctionReport =
  | { readonly payloadText: string }
  | { readonly errorType: string; readonly errorMessage: string };

const [functionArn = '', timeoutSeconds = '', aheadMs = ''] = process.argv.slice(2);
const { env } = process;

const report = (message: FunctionReport): void => void process.send?.(message);

const reportError = (thrown: unknown): void => {
  const error = thrown instanceof Error ? thrown : runtimeError(typeof thrown, String(thrown));
  const [errorType, errorMessage] = [String(error.name), String(error.message)];
  const stack = error.stack?.split('\n').slice(1);
  // Lambda's runtime prints an error's own fields too.
  const fields = getBuiltinModule('node:util').inspect({ ...error }, { breakLength: Number.POSITIVE_INFINITY });
  process.stderr.write(`${JSON.stringify({ level: 'error', errorType, errorMessage, fields, stack })}\n`);
  report({ errorType, errorMessage });
};

const runtimeError = (name: string, message: string): Error => Object.assign(new Error(message), { name });

const loadHandler = async (directory: string, handlerName: string) => {
  const dot = handlerName.lastIndexOf('.');
  const [fileName, exportName] = [handlerName.slice(0, dot), handlerName.slice(dot + 1)];
  const file = ['.cjs', '.js', '.mjs'].map((ending) => join(directory, fileName + ending)).find(existsSync);
  if (!file) throw runtimeError('Runtime.ImportModuleError', `Error: Cannot find module '${fileName}'`);
  const bundle: Record<string, unknown> = createRequire(file)(file);
  const handler = bundle[exportName];
  if (typeof handler === 'function') return handler;
  throw runtimeError('Runtime.HandlerNotFound', `${handlerName} is undefined or not exported`);
};

const contextUntil = (deadlineAtMs: number) => ({
  awsRequestId: getBuiltinModule('node:crypto').randomUUID(),
  callbackWaitsForEmptyEventLoop: true,
  functionName: env['AWS_LAMBDA_FUNCTION_NAME'],
  functionVersion: env['AWS_LAMBDA_FUNCTION_VERSION'],
  invokedFunctionArn: functionArn,
  memoryLimitInMB: env['AWS_LAMBDA_FUNCTION_MEMORY_SIZE'],
  logGroupName: env['AWS_LAMBDA_LOG_GROUP_NAME'],
  logStreamName: env['AWS_LAMBDA_LOG_STREAM_NAME'],
  getRemainingTimeInMillis: () => Math.max(0, deadlineAtMs - Date.now()),
});

const start = async () => {
  putDateAhead(Number(aheadMs));
  const handler = await loadHandler(env['LAMBDA_TASK_ROOT'] ?? '', env['_HANDLER'] ?? '');
  process.on('message', async (call: FunctionCall) => {
    putDateAhead(call.aheadMs);
    const context = contextUntil(Date.now() + Number(timeoutSeconds) * 1_000);
    try {
      const payload = await handler(JSON.parse(call.eventText), context);
      report({ payloadText: JSON.stringify(payload) ?? 'null' });
    } catch (thrown) {
      reportError(thrown);
    }
  });
  report({ payloadText: 'null' });
};

// Ctrl-C reaches the whole process group, but only the stack ends an instance. The instance ends when the stack does.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit());

// Not part of Lambda's environment. It spares the next instance compiling the same code.
delete env['NODE_COMPILE_CACHE'];
await start().catch(reportError);
flushCompileCache();
