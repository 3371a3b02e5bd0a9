import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestStack, type TestStack } from './test-stack.ts';

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(async () => {
  await stack.stop();
  stack.forget();
});

const invoke = (...args: readonly string[]) =>
  spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'infra/local/invoke.ts', ...args, '--data-dir', stack.dataDirectory],
    {
      encoding: 'utf8',
    },
  );

describe('npm run invoke', () => {
  it.each(globSync('events/*.json').map((file) => basename(file, '.json')))('runs %s with its sample event', (name) => {
    const { status, stdout } = invoke(name);
    expect(status).toBe(0);
    const answer = JSON.parse(stdout);
    if (answer?.statusCode !== undefined) expect(answer.statusCode).toBeLessThan(500);
    else expect(answer ?? { batchItemFailures: [] }).toEqual({ batchItemFailures: [] });
  });

  it('says in one line what is missing', () => {
    for (const args of [[], ['no-such-function'], ['send-message', 'no-such-event.json']]) {
      const { status, stderr } = invoke(...args);
      expect(status).toBe(1);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
  });
});
