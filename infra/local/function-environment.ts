import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { FunctionSpec } from './blueprint.ts';

/** The whole environment of one instance: the function's own overrides `added`, and Lambda's variables override both. */
export const environmentOf = (
  spec: FunctionSpec,
  added: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> => {
  const region = spec.arn.split(':')[3] ?? '';
  const day = new Date().toISOString().slice(0, 10).replaceAll('-', '/');
  return {
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    TZ: 'UTC',
    ...added,
    ...spec.environment,
    // The emulators distinguish functions by it.
    AWS_ACCESS_KEY_ID: spec.name,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_NAME: spec.name,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(spec.memoryMegabytes),
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_LOG_GROUP_NAME: spec.logGroup,
    AWS_LAMBDA_LOG_STREAM_NAME: `${day}/[$LATEST]${randomUUID().replaceAll('-', '')}`,
    LAMBDA_TASK_ROOT: spec.codeDirectory,
    _HANDLER: spec.handler,
    NODE_COMPILE_CACHE: resolve(process.env['NODE_COMPILE_CACHE'] || join(tmpdir(), 'node-compile-cache')),
  };
};
