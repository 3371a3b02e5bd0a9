import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openInvoker } from '../infra/local/invoker.ts';
import { type SharedStack, shareTestStack } from './test-stack.ts';

let stack: SharedStack;
let invoke: ReturnType<typeof openInvoker>;
beforeAll(async () => {
  stack = await shareTestStack();
  invoke = openInvoker(stack.dataDirectory);
});

describe('a function', () => {
  it.each(globSync('events/*.json').map((file) => basename(file, '.json')))(
    'runs with its sample event: %s',
    async (name) => {
      const { ok, payload } = await invoke(name, `events/${name}.json`);
      expect({ name, ok }).toEqual({ name, ok: true });
      const answer = payload as { statusCode?: number } | null;
      if (answer?.statusCode !== undefined) expect(answer.statusCode).toBeLessThan(500);
      else expect(answer ?? { batchItemFailures: [] }).toEqual({ batchItemFailures: [] });
    },
  );
});

describe('npm run invoke', () => {
  const invokeByName = (...args: readonly string[]) =>
    spawnSync(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', 'infra/local/invoke.ts', ...args, '--data-dir', stack.dataDirectory],
      { encoding: 'utf8' },
    );

  it('prints the function’s answer', () => {
    const { status, stdout } = invokeByName('messages-get-message');
    expect([status, JSON.parse(stdout).statusCode]).toEqual([0, 404]);
  });

  it('reports in one line what is missing', () => {
    for (const args of [[], ['no-such-function'], ['messages-send-message', 'no-such-event.json']]) {
      const { status, stderr } = invokeByName(...args);
      expect(status).toBe(1);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
  });
});
