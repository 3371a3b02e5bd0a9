import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { environmentOf } from './function-environment.ts';
import { arn, bundle, start } from './function-fixture.ts';
import { machineNowMs, putDateAhead } from './shifted-date.ts';

afterEach(() => putDateAhead(0));

describe('an answered call', () => {
  test('carries JSON in both directions', async () => {
    const { call } = start();
    const at = new Date();
    expect(await call({ do: 'echo', value: { at, text: 'ü', gone: undefined } })).toEqual({
      ok: true,
      payload: { at: at.toISOString(), text: 'ü' },
    });
    expect(await call({ do: 'nothing' })).toEqual({ ok: true, payload: null });
  });

  test('carries no answer that Lambda would not take', async () => {
    const { call } = start();
    const longest = 6_291_556 - '""'.length;
    expect(await call({ do: 'echo', value: 'x'.repeat(longest) })).toMatchObject({ ok: true });
    expect(await call({ do: 'echo', value: 'x'.repeat(longest + 1) })).toEqual({
      ...{ ok: false, reason: 'error', errorType: 'Function.ResponseSizeTooLarge' },
      errorMessage: expect.stringContaining('(6291557 bytes) exceeded'),
    });
  });

  test('finds the function by name and by ARN', async () => {
    const { functions } = start();
    const event = { do: 'echo', value: 1 };
    expect(await functions.invoke(arn, event)).toEqual({ ok: true, payload: 1 });
    expect(await functions.invoke('other', event)).toMatchObject({
      ok: false,
      errorType: 'ResourceNotFoundException',
    });
  });

  test('has the environment of its template and of Lambda, and nothing else', async () => {
    const { call, folder } = start(
      { environment: { TABLE_NAME: 'table', SHARED: 'own' } },
      { environment: { AWS_ENDPOINT_URL_SQS: 'http://127.0.0.1:1', SHARED: 'added' } },
    );
    expect(await call({ do: 'environment' })).toEqual({
      ok: true,
      payload: {
        TABLE_NAME: 'table',
        SHARED: 'own',
        AWS_ENDPOINT_URL_SQS: 'http://127.0.0.1:1',
        AWS_ACCESS_KEY_ID: 'work',
        AWS_REGION: 'eu-central-1',
        AWS_DEFAULT_REGION: 'eu-central-1',
        AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
        AWS_LAMBDA_FUNCTION_NAME: 'work',
        AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '128',
        AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
        AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/work',
        AWS_LAMBDA_LOG_STREAM_NAME: expect.stringMatching(/^\d{4}\/\d\d\/\d\d\/\[\$LATEST\][0-9a-f]{32}$/),
        LAMBDA_TASK_ROOT: folder,
        TZ: 'UTC',
        _HANDLER: 'work.handler',
      },
    });
    expect(await call({ do: 'hour' })).toEqual({ ok: true, payload: 0 });
  });

  test.each([
    ['', join(tmpdir(), 'node-compile-cache')],
    [relative('', join(tmpdir(), 'compiled')), join(tmpdir(), 'compiled')],
  ])('has an absolute place for compiled code, also where that of the stack is %j', (ofStack, place) => {
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv('NODE_COMPILE_CACHE', ofStack);
    expect(environmentOf(start().spec, {})).toMatchObject({ NODE_COMPILE_CACHE: place });
  });

  test("gets Lambda's context", async () => {
    const { call } = start();
    expect(await call({ do: 'context' })).toMatchObject({
      payload: {
        awsRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        functionName: 'work',
        functionVersion: '$LATEST',
        invokedFunctionArn: arn,
        memoryLimitInMB: '128',
        logGroupName: '/aws/lambda/work',
        callbackWaitsForEmptyEventLoop: true,
        remainingMs: expect.toSatisfy((ms: number) => ms > 0 && ms <= 5_000),
      },
    });
  });

  test.each(['work.mjs', 'work.js'])('comes from an ES module named %s too', async (file) => {
    const { call, folder } = start();
    rmSync(join(folder, 'work.cjs'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder, file), 'export const handler = async () => import.meta.filename;');
    expect(await call({})).toEqual({ ok: true, payload: join(folder, file) });
  });

  test('has the time of the stack, which may be ahead by more at the next call of an instance', async () => {
    const { call } = start();
    for (const [calls, days] of [
      [1, 0],
      [2, 3],
      [3, 40],
    ] as const) {
      putDateAhead(days * 86_400_000);
      const { payload } = (await call({ do: 'clock' })) as { payload: { now: number; made: number } };
      expect(payload).toMatchObject({ isDate: true, parsed: 0, calls });
      for (const time of [payload.now, payload.made]) expect((time - machineNowMs()) / 86_400_000).toBeCloseTo(days);
    }
  });

  test('writes its output to the log of its function', async () => {
    const { call, log } = start();
    await call({ do: 'print' });
    expect(log()).toBe('printed\ncomplained\n');
  });
});

describe('a failed call', () => {
  test('returns the handler’s error, and its log has the stack', async () => {
    const { call, log } = start();
    const failure = { errorType: 'RangeError', errorMessage: 'too far' };
    expect(await call({ do: 'throw' })).toEqual({ ok: false, reason: 'error', ...failure });
    expect(JSON.parse(log())).toMatchObject({
      ...failure,
      stack: expect.arrayContaining([expect.stringContaining('work.cjs:11')]),
    });
    expect(await call({ do: 'throwText' })).toMatchObject({ errorType: 'string', errorMessage: 'plain words' });
    expect(await call({ do: 'circular' })).toMatchObject({ reason: 'error', errorType: 'TypeError' });
    expect(await call({ do: 'count' })).toMatchObject({ payload: { calls: 1 } });
  });

  test.each(['printAndLoop', 'waitFor'])('is cut off at the time limit: %s', async (action) => {
    const { call, log } = start({ timeoutSeconds: 1.5 });
    const other = call({ do: 'echo', value: 'other' });
    const answer = await call({ do: action, path: '/never' });
    expect(answer).toEqual({
      ok: false,
      reason: 'timeout',
      errorType: 'Sandbox.Timedout',
      errorMessage: 'Task timed out after 1.50 seconds',
    });
    expect(await other).toEqual({ ok: true, payload: 'other' });
    expect(log()).toContain('Task timed out after 1.50 seconds');
    if (action === 'printAndLoop') expect(log()).toMatch(/^one\ntwo\n/);
  });

  test.each([
    ['exit', 'exit status 3'],
    ['throwLater', 'exit status 1'],
    ['reject', 'exit status 1'],
    ['fillMemory', 'signal SIGABRT'],
  ])('takes nothing else with it: %s', async (action, how) => {
    const { call, hold, log } = start({ timeoutSeconds: 60 });
    const other = hold('other');
    const failure = { errorType: 'Runtime.ExitError', errorMessage: `Runtime exited with error: ${how}` };
    expect(await call({ do: action })).toEqual({ ok: false, reason: 'crash', ...failure });
    other.release();
    expect(await other.answer).toMatchObject({ ok: true });
    expect(log()).toContain(failure.errorMessage);
    expect(await Promise.all([call({ do: 'nothing' }), call({ do: 'nothing' })])).toEqual(
      Array(2).fill({ ok: true, payload: null }),
    );
  });

  test.each([
    ['throws', 'throw new SyntaxError("broken");', 'SyntaxError'],
    ['exports no handler', 'exports.other = 1;', 'Runtime.HandlerNotFound'],
    ['is not there', undefined, 'Runtime.ImportModuleError'],
  ])('comes of a bundle that %s, and the next call tries anew', async (_, code, errorType) => {
    const { call, folder, log } = start();
    if (code === undefined) rmSync(join(folder, 'work.cjs'));
    else writeFileSync(join(folder, 'work.cjs'), code);
    expect(await call({ do: 'nothing' })).toMatchObject({ ok: false, reason: 'error', errorType });
    expect(log()).toContain(errorType);
    writeFileSync(join(folder, 'work.cjs'), bundle);
    expect(await call({ do: 'nothing' })).toEqual({ ok: true, payload: null });
  });
});
