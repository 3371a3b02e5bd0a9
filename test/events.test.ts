import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventsCommand } from '../infra/local/events.ts';
import { invokeCommand } from '../infra/local/invoke.ts';
import { openInvoker } from '../infra/local/invoker.ts';
import { samCommand } from '../infra/local/sam-template.ts';
import { calledCommand } from './called-command.ts';
import { type SharedStack, shareTestStack } from './test-stack.ts';

let stack: SharedStack;
let invoke: ReturnType<typeof openInvoker>['invoke'];
beforeAll(async () => {
  stack = await shareTestStack();
  invoke = openInvoker(stack.dataDirectory).invoke;
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
      // Only Meta can sign its news.
      if (name !== 'callbacks-receive-whatsapp-news') expect(answer?.statusCode).not.toBe(401);
    },
  );
});

const run = (command: typeof eventsCommand, args: readonly string[]) =>
  calledCommand(command, [...args, '--data-dir', stack.dataDirectory]);

it.each([eventsCommand, invokeCommand])(
  'a name that no function has is reported before a stack that does not run',
  async (command) => {
    const { status, stderr } = await calledCommand(command, [
      'messages-send-massage',
      '--data-dir',
      'no-such-directory',
    ]);
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^There is no function .+ nearest names are messages-send-message, /),
    ]);
  },
);

describe('npm run events', () => {
  const events = (...args: readonly string[]) => run(eventsCommand, args);

  it('prints the sample event of a function with the keys of the stack', async () => {
    const { status, stdout } = await events('messages-send-message');
    expect([status, stdout]).toEqual([0, expect.not.stringContaining('{{')]);
    expect(JSON.parse(stdout)).toMatchObject({ routeKey: 'POST /api/v1/messages' });
  });

  it('writes a template for sam with the code, the settings and the emulators of the function, and says how to call it', async () => {
    const { status, stdout } = await events('messages-get-message', '--sam');
    const folder = join(stack.dataDirectory, 'sam', 'messages-get-message');
    expect([status, stdout]).toEqual([0, expect.stringContaining(`-t ${join(folder, 'template.json')}`)]);
    expect(stdout).toContain('AWS_ACCESS_KEY_ID=messages-get-message');
    const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
    const { CodeUri, Handler, Environment } = read('template.json').Resources.Function.Properties;
    expect([existsSync(join(CodeUri, `${Handler.split('.')[0]}.js`)), Handler]).toEqual([
      true,
      'messages-get-message.handler',
    ]);
    expect(Environment.Variables).toMatchObject({
      TABLE_NAME: expect.any(String),
      AWS_ENDPOINT_URL_DYNAMODB: expect.stringMatching(/^http:/),
    });
    expect(Object.keys(Environment.Variables)).not.toContain('AWS_REGION');
    expect(read('event.json')).toMatchObject({ version: '2.0' });
  });

  it('says how to call sam also where the data directory is no plain word of a shell', () => {
    const command = samCommand('messages-get-message', "/tmp/Ada's data", { AWS_REGION: 'us-east-1' });
    const { stdout } = spawnSync('sh', ['-c', `sam() { printf '%s\\n' "$@"; }\n${command}`], { encoding: 'utf8' });
    expect(stdout.split('\n')).toEqual(
      expect.arrayContaining(["/tmp/Ada's data/template.json", "/tmp/Ada's data/event.json"]),
    );
  });

  it('reports in one line what is missing', async () => {
    for (const args of [[], ['no-such-function']]) {
      const { status, stderr } = await events(...args);
      expect([status, stderr.trim().split('\n').length]).toEqual([1, 1]);
    }
  });
});

describe('npm run invoke', () => {
  const invokeByName = (...args: readonly string[]) => run(invokeCommand, args);

  it('prints the function’s answer', async () => {
    const { status, stdout } = await invokeByName('messages-get-message');
    expect([status, JSON.parse(stdout).statusCode]).toEqual([0, 404]);
  });

  it('reports in one line what is missing', async () => {
    const file = (name: string) => ['messages-send-message', name];
    for (const args of [[], ['no-such-function'], file('no-such-event.json'), file('README.md')]) {
      const { status, stderr } = await invokeByName(...args);
      expect(status).toBe(1);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
  });
});
