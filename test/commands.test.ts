import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import type { TableSpec } from '../infra/local/blueprint.ts';
import { ensureTable } from '../infra/local/emulators/dynamodb-tables.ts';
import { eventsCommand } from '../infra/local/events.ts';
import { freePort } from '../infra/local/free-port.ts';
import { invokeCommand } from '../infra/local/invoke.ts';
import { listenCommand } from '../infra/local/listen.ts';
import { localEndpoint } from '../infra/local/local-client.ts';
import { readOptions } from '../infra/local/options.ts';
import { skipCommand } from '../infra/local/skip.ts';
import { triggerCommand } from '../infra/local/trigger.ts';
import { operatorsCommand } from '../infra/operators/main.ts';
import { personCommand } from '../infra/person/main.ts';
import { restoreCommand } from '../infra/restore/main.ts';
import { rotateKeysCommand } from '../infra/rotate-keys/main.ts';
import { sendingCommand } from '../infra/sending/main.ts';
import { spreadCommand } from '../infra/spread/main.ts';
import { openAwsService } from '../shared/aws/aws-service.ts';
import { calledCommand } from './called-command.ts';
import { soon } from './soon.ts';
import { readStackFile, runProgram, type StackFile } from './stack-process.ts';
import { request, type SharedStack, shareTestStack } from './test-stack.ts';
import { tableSpec } from './world.ts';

// The commands act on the demo account, which no other test file uses.
let stack: SharedStack;
let demo: StackFile;
beforeAll(async () => {
  stack = await shareTestStack();
  demo = readStackFile(stack.dataDirectory);
});

const commands = {
  trigger: triggerCommand,
  listen: listenCommand,
  skip: skipCommand,
  invoke: invokeCommand,
  events: eventsCommand,
  operators: operatorsCommand,
  person: personCommand,
  restore: restoreCommand,
  'rotate-keys': rotateKeysCommand,
  sending: sendingCommand,
  spread: spreadCommand,
};
type Name = keyof typeof commands;
const names = Object.keys(commands) as Name[];
const runIn = (dataDirectory: string, name: Name, ...args: readonly string[]) =>
  calledCommand(commands[name], [...args, '--data-dir', dataDirectory]);
const run = (name: Name, ...args: readonly string[]) => runIn(stack.dataDirectory, name, ...args);

const argumentsOf = (file: string, args: readonly string[]) => [
  '--disable-warning=ExperimentalWarning',
  `infra/${file}.ts`,
  ...args,
  '--data-dir',
  stack.dataDirectory,
];
/** Runs the program of a command: in a process of its own, which takes most of a second of processor time to load. */
const runApart = (file: string, ...args: readonly string[]) => runProgram(argumentsOf(file, args));

afterEach(() => void vi.unstubAllEnvs());

const api = async (method: string, path: string, body?: unknown) =>
  (await request(`${demo.apiBaseUrl}${path}`, method, { 'x-api-key': demo.keys.messaging }, body)).body.data;

const send = async (channel: string, to: string): Promise<string> =>
  (await api('POST', '/messages', { channel, to, subject: 'Hello', text: 'Hello' })).id;

const becomes = (id: string, status: string) =>
  vi.waitFor(async () => expect(await api('GET', `/messages/${id}`)).toMatchObject({ status }), soon);

describe('npm run trigger', () => {
  it('plays opens and complaints of an email as SES publishes them', async () => {
    const id = await send('email', 'trigger@example.com');
    await becomes(id, 'delivered');
    expect(await run('trigger', 'open', id)).toMatchObject({
      status: 0,
      stdout: `Played open for ${id}. Its status is opened.\n`,
    });
    await becomes(id, 'opened');
    expect(await run('trigger', 'complaint', id, await send('email', 'second@example.com'))).toMatchObject({
      status: 1,
    });
    expect(await run('trigger', 'complaint', id, '--json')).toMatchObject({
      status: 0,
      stdout: `${JSON.stringify({ what: 'complaint', id, status: 'complained' })}\n`,
    });
    await becomes(id, 'complained');
  });

  it('says of a notification that comes too late that the status has stayed', async () => {
    const id = await send('sms', '+8801700000000');
    await becomes(id, 'delivered');
    for (const late of ['failed', 'read'])
      expect(await run('trigger', late, id)).toMatchObject({
        status: 0,
        stdout: `Played ${late} for ${id}. Its status is delivered.\n`,
      });
  });

  it('plays a text from a phone as its provider reports it', async () => {
    const consentOf = async () =>
      (await api('GET', '/suppressions?limit=100')).filter(
        ({ address }: { address: string }) => address === '+8801700000000',
      );
    expect(await consentOf()).toEqual([]);
    expect(await run('trigger', 'inbound', '+8801700000000', 'STOP')).toMatchObject({ status: 0 });
    expect(await consentOf()).toMatchObject([{ reason: 'unsubscribed' }, { reason: 'unsubscribed' }]);
    expect(await run('trigger', 'inbound', '+8801700000000', 'START')).toMatchObject({ status: 0 });
    expect(await run('trigger', 'inbound', '+8801700000000', 'START', '--channel', 'whatsapp')).toMatchObject({
      status: 0,
    });
    expect(await consentOf()).toEqual([]);
  });

  it('says in one line what is wrong and ends with 1', async () => {
    for (const args of [
      [],
      ['bounce'],
      ['nothing', 'x'],
      ['bounce', 'x'],
      ['inbound', '017', 'STOP'],
      ['payment', 'x'],
      ['--wrong'],
    ]) {
      const { status, stdout, stderr } = await run('trigger', ...args);
      expect([args, status, stdout]).toEqual([args, 1, '']);
      expect(stderr).toMatch(/^[A-Z].+\n$/);
    }
  });
});

/** Starts `npm run listen`; returns a reader of its lines by kind, and its end: by Ctrl-C, or with the reader of its output. */
const listen = (...args: readonly string[]) => {
  const child = spawn(process.execPath, argumentsOf('local/listen', ['--json', ...args]), {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: { readonly kind: string; readonly id?: string; readonly answered?: string }[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line)));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  onTestFinished(() => void child.kill());
  return {
    said: (kind: string, { answered }: { readonly answered?: string } = {}) =>
      vi.waitFor(
        () =>
          lines.find((line) => line.kind === kind && (answered ?? line.answered) === line.answered) ??
          expect.fail(`no ${kind}`),
        soon,
      ),
    end: (signal: NodeJS.Signals = 'SIGINT'): Promise<unknown> => {
      child.kill(signal);
      return ended;
    },
    endReader: (): Promise<unknown> => {
      child.stdout.destroy();
      return ended;
    },
  };
};

describe('npm run listen', () => {
  const idsOfWebhooks = async (): Promise<string[]> =>
    (await api('GET', '/webhooks')).map((webhook: { id: string }) => webhook.id);

  it('shows deliveries with verified signatures, answers as asked, and deletes its subscription', async () => {
    const { said, end } = listen('--answer', '503', '--events', 'message.failed, message.sent');
    const { id } = await said('listening');
    await send('email', 'listen@example.com');
    expect(await said('delivery')).toMatchObject({
      event: 'message.sent',
      sequence: '1',
      isVerified: true,
      answered: '503',
    });
    expect(await idsOfWebhooks()).toContain(id);
    expect(await end()).toBe(0);
    expect(await idsOfWebhooks()).not.toContain(id);
  });

  it('deletes its subscription also when whoever reads its output ends', async () => {
    const { said, endReader } = listen();
    const { id } = await said('listening');
    const ended = endReader();
    await send('email', 'unread@example.com');
    expect(await ended).toBe(0);
    expect(await idsOfWebhooks()).not.toContain(id);
  });

  it('answers a redirect of the URL that it forwards to without following it, and with 502 where that breaks off its answer; its subscription ends with its terminal', async () => {
    const asked: string[] = [];
    const shop = createServer((asking, response) => {
      asked.push(`${asking.method} ${asking.url}`);
      if (asked.length === 1) response.writeHead(302, { location: '/login' }).end();
      else response.writeHead(200, { 'content-length': 9 }).write('{', () => response.destroy());
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void shop.close());
    await once(shop, 'listening');
    const { port } = z.object({ port: z.number() }).parse(shop.address());
    const { said, end } = listen('--events', 'message.sent', '--forward-to', `http://127.0.0.1:${port}/hooks`);
    const { id } = await said('listening');
    for (const answered of ['302', '502']) {
      await send('email', 'forwarded@example.com');
      expect(await said('delivery', { answered })).toMatchObject({ isVerified: true });
    }
    expect(new Set(asked)).toEqual(new Set(['POST /hooks']));
    expect(await end('SIGHUP')).toBe(0);
    expect(await idsOfWebhooks()).not.toContain(id);
  });

  it.each(['localhost:4000/hooks', 'shop', 'ftp://localhost'])('refuses to forward to %s, in one line', async (url) => {
    const { status, stdout, stderr } = await run('listen', '--forward-to', url);
    expect([status, stdout, stderr]).toEqual([
      1,
      '',
      '--forward-to must be an http or https URL, as in http://localhost:4000/hooks.\n',
    ]);
  });

  it.each([
    [
      ['--events', 'message.sent,message.unsent'],
      '--events must be among message.sent, message.delivered, message.failed, message.bounced.',
    ],
    [['--api', 'checkout', '--events', 'message.sent'], 'The API refused the subscription: '],
  ])('refuses %s, of which an API has no event, in one line', async (args, line) => {
    const { status, stdout, stderr } = await run('listen', ...args);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr.startsWith(line)).toBe(true);
    expect(stderr).toMatch(/^.+\n$/);
  });

  it('refuses a word that belongs to no option, in one line', async () => {
    const { status, stdout, stderr } = await run('listen', '500');
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^500 belongs to no option\. .+\n$/);
  });

  it('shows the events of the checkout, which a notification of the gateway can bring about, and deletes its subscription also when its signal comes again, as from timeout', async () => {
    const { said, end } = listen('--api', 'checkout');
    const { id } = await said('listening');
    const checkout = (method: string, path: string, body?: unknown) =>
      request(
        `${demo.checkoutBaseUrl}${path}`,
        method,
        { authorization: `Bearer ${demo.keys.checkoutSecretTest}` },
        body,
      );
    // Its callback is lost, so it is pending until its gateway is asked.
    const wanted = { amountMinor: 1003, currency: 'BDT', description: 'Two books' };
    const session = `/v1/public/checkout-sessions/${(await checkout('POST', '/v1/checkout-sessions', wanted)).body.data.id}`;
    const [method] = (await checkout('GET', session)).body.data.eligibleMethods;
    const payment = await checkout('POST', `${session}/payments`, { acceptanceMethodId: method.acceptanceMethodId });
    expect(await run('trigger', 'payment', payment.body.data.paymentId)).toMatchObject({ status: 0 });
    expect(await said('delivery')).toMatchObject({ event: 'payment.succeeded', isVerified: true, answered: '200' });
    const again = setInterval(() => void end('SIGTERM'), 1);
    onTestFinished(() => clearInterval(again));
    expect(await end('SIGTERM')).toBe(0);
    const webhooks = `${demo.adminBaseUrl}/accounts/${demo.accountId}/checkout-webhooks`;
    const left = await request(webhooks, 'GET', { authorization: `Bearer ${demo.adminToken}` });
    expect(left.body.data.map((webhook: { id: string }) => webhook.id)).not.toContain(id);
  });
});

describe('npm run restore', () => {
  const restore = (...args: readonly string[]) => run('restore', ...args);
  const newTable = async (stream: Pick<TableSpec, 'streamView'>): Promise<string> => {
    const name = `restored-${randomUUID()}`;
    const { streamView: _, ...rest } = tableSpec;
    await ensureTable(openAwsService('dynamodb', localEndpoint(demo.aws['dynamodb'] ?? '')), {
      ...rest,
      ...stream,
      name,
    });
    return name;
  };

  it('counts what a settlement would do, and lists what waits for a decision', async () => {
    const scheduledAt = new Date(Date.now() + 86_400_000).toISOString();
    const body = { channel: 'email', to: 'later@example.com', subject: 'Hello', text: 'Hello', sendAt: scheduledAt };
    const { id } = await api('POST', '/messages', body);
    const [table, former] = [readStackFile(stack.dataDirectory).aws['table'] ?? '', 'another'];
    for (const more of [[], ['--dry-run']])
      expect(await restore('settle', '--table', table, ...more)).toMatchObject({
        status: 1,
        stderr: `${table} is the table that serves now. Name the restored one.\n`,
      });
    expect(await api('GET', `/messages/${id}`)).toMatchObject({ status: 'queued', scheduledAt });
    expect(await restore('settle', '--table', former, '--former', former)).toMatchObject({ status: 1, stdout: '' });
    expect(await restore('settle', '--table', 'mistyped')).toMatchObject({
      status: 1,
      stderr: 'There is no table mistyped.\n',
    });
    const streaming = await newTable({ streamView: 'NEW_AND_OLD_IMAGES' });
    expect(await restore('settle', '--table', streaming)).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(`^The stream of ${streaming} is on, .+StreamEnabled=false\n$`),
    });
    const settled = 'Messages: 0 known, 0 uncertain, 0 held. Refunds: 0 uncertain. Receipts: 0 known, 0 uncertain.\n';
    expect(await restore('settle', '--table', await newTable({}))).toMatchObject({ status: 0, stdout: settled });
    expect(await restore('review', 'extra')).toMatchObject({
      status: 1,
      stderr: 'Leave out extra: review is of all messages. --help shows how.\n',
    });
    expect(await restore('send', 'all', '--table', table)).toMatchObject({ status: 1, stdout: '' });
    expect(await restore('review')).toMatchObject({ status: 0, stdout: '0 wait for a decision.\n' });
    expect(await restore('end', id)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('waits for a decision'),
    });
    await request(`${demo.apiBaseUrl}/messages/${id}`, 'DELETE', { 'x-api-key': demo.keys.messaging });
  });
});

describe('npm run operators', () => {
  it.each([
    [['token'], 'Name the token: npm run operators -- token <name>'],
    [['add'], 'Name the operator: npm run operators -- add <email>'],
    [['list', 'extra'], 'Leave out extra: list is of all. --help shows how.'],
    [['constructor'], 'Unknown action: constructor. --help shows what can be done.'],
  ])('refuses %s in one line', async (args, line) => {
    expect(await run('operators', ...args)).toMatchObject({ status: 1, stdout: '', stderr: `${line}\n` });
  });

  it('says with --dry-run what each change would be, and changes nothing', async () => {
    const operators = (...args: readonly string[]) => run('operators', ...args);
    for (const [args, line] of [
      [['add', 'previewed@example.com'], 'previewed@example.com would be an operator, with a token for scripts.'],
      [['token', 'previewed'], 'A token previewed would be made.'],
    ] as const)
      expect(await operators(...args, '--dry-run')).toMatchObject({
        status: 0,
        stdout: `${line} Nothing was changed.\n`,
      });
    for (const args of [
      ['remove', 'previewed@example.com'],
      ['revoke', 'x'],
    ])
      expect(await operators(...args, '--dry-run')).toMatchObject({ status: 1, stdout: '' });
    // Other tests of this stack make operators and tokens too.
    for (const list of ['list', 'tokens']) expect((await operators(list)).stdout).not.toContain('previewed');
  });
});

describe('npm run rotate-keys', () => {
  it('gives the demo account a key, which seals an hour later, and the stack works on', async () => {
    const line = (isNew: boolean, isDryRun: boolean) =>
      expect.stringContaining(`"isNew":${isNew},"isDryRun":${isDryRun}}\n`);
    const rotate = (...args: readonly string[]) => run('rotate-keys', '--account', demo.accountId, '--json', ...args);
    expect(await rotate('--dry-run')).toMatchObject({ status: 0, stdout: line(true, true) });
    expect(await run('rotate-keys', '--account', demo.accountId, '--dry-run')).toMatchObject({
      stdout: expect.stringContaining('a new key would seal from'),
    });
    expect(await rotate()).toMatchObject({ status: 0, stdout: line(true, false) });
    expect(await rotate()).toMatchObject({ status: 0, stdout: line(false, false) });
    await becomes(await send('email', 'rotated@example.com'), 'delivered');
    expect(await run('rotate-keys', '--account', 'x')).toMatchObject({ status: 1, stdout: '' });
  });
});

describe('npm run spread', () => {
  it('spreads the demo account, and the stack works on', async () => {
    const numbers = (creditShards: number, isDryRun: boolean) =>
      `${JSON.stringify({ account: demo.accountId, creditShards, messageShards: 1, isDryRun })}\n`;
    const spread = (...args: readonly string[]) => run('spread', demo.accountId, '--json', ...args);
    expect(await spread('--credits', '2', '--dry-run')).toMatchObject({ status: 0, stdout: numbers(2, true) });
    expect(await spread()).toMatchObject({ status: 0, stdout: numbers(1, false) });
    expect(await spread('--credits', '2')).toMatchObject({ status: 0, stdout: numbers(2, false) });
    await becomes(await send('email', 'spread@example.com'), 'delivered');
    expect(await run('spread')).toMatchObject({ status: 1, stdout: '' });
  });
});

describe('every command', () => {
  it.each([
    [['--data-dir', '--json'], "Option '--data-dir' needs a value. npm run skip -- --help shows all options."],
    [['-5m'], '-5m must not begin with a hyphen. npm run skip -- --help shows all options.'],
    [['--json=yes'], "Option '--json' does not take an argument. npm run skip -- --help shows all options."],
  ])('refuses %s in one line that says how to read on', async (args, line) => {
    expect(await run('skip', ...args)).toMatchObject({ status: 1, stdout: '', stderr: `${line}\n` });
  });

  it('npm start refuses an empty data directory, which a variable without a value gives', () => {
    const line = "Option '--data-dir' needs a value. npm start -- --help shows all options.";
    expect(() => readOptions(['--data-dir', ''], {})).toThrow(line);
  });

  it('refuses an option that it does not know, and ends its process with 1', async () => {
    const line = "Unknown option '--bogus'. npm run skip -- --help shows all options.\n";
    expect(await runApart('local/skip', '--bogus')).toEqual({ status: 1, stdout: '', stderr: line });
  });

  it.each([
    ['operators', ['remove', 'kept@example.com'], 'dry_run', 'true', 'npm run operators -- --dry-run'],
    ['spread', ['x', '--json'], 'stage', 'prod', 'npm run spread -- --stage'],
    ['listen', ['500'], 'answer', 'true', 'npm run listen -- --answer'],
  ] as const)(
    '%s %j refuses to go on without an option that npm has kept for itself',
    async (name, args, kept, value, line) => {
      vi.stubEnv(`npm_config_${kept}`, value);
      const stderr = `npm kept --${kept.replace('_', '-')} for itself. Write options after two hyphens: ${line}\n`;
      expect(await run(name, ...args)).toEqual({ status: 1, stdout: '', stderr });
    },
  );

  it('npm start does not start without an option that npm has kept for itself', async () => {
    const line = (kept: string) =>
      `npm kept --${kept} for itself. Write options after two hyphens: npm start -- --${kept}`;
    expect(await runProgram(argumentsOf('local/main', []), { npm_config_fresh: 'true' })).toEqual({
      status: 1,
      stdout: '',
      stderr: `${line('fresh')}\n`,
    });
    vi.stubEnv('npm_config_port', 'true');
    expect(() => readOptions(['4100'], {})).toThrow(line('port'));
    vi.unstubAllEnvs();
    vi.stubEnv('npm_config_webhook_targets', 'public');
    expect(() => readOptions([], {})).toThrow(line('webhook-targets'));
  });

  it('shows its help, whatever npm has kept', async () => {
    vi.stubEnv('npm_config_stage', 'prod');
    const { status, stdout } = await run('spread', '--help');
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^npm run spread/)]);
  });

  it('does not take settings of npm for its options, nor what npm has where the option is given', async () => {
    const settings = { yes: 'true', json: 'true', dry_run: '', stage: 'prod', account: '' };
    for (const [name, value] of Object.entries(settings)) vi.stubEnv(`npm_config_${name}`, value);
    const { stderr } = await run('person', 'erase', 'x', '--stage=none');
    expect(stderr).toBe('--stage must be dev or prod, and is none.\n');
  });

  it.each(['operators', 'person', 'restore', 'sending', 'spread'] as const)(
    '%s refuses a stage that is none',
    async (name) => {
      const line = '--stage must be dev or prod, and is staging.\n';
      expect(await run(name, 'x', '--stage', 'staging')).toMatchObject({
        status: 1,
        stdout: '',
        stderr: line,
      });
    },
  );

  it.each(names)('%s prints its options with --help and ends with 0', async (name) => {
    const { status, stdout } = await run(name, '--help');
    expect([status, stdout]).toEqual([0, expect.stringContaining('--json')]);
  });

  it('npm start prints its options with --help and ends with 0', async () => {
    const { status, stdout } = await runApart('local/main', '--help');
    expect([status, stdout]).toEqual([0, expect.stringContaining('--json')]);
  });

  // A process of each would prove no more: those of listen and skip are run above.
  it.each(names)('the program of npm run %s runs its command', (name) => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readFileSync('package.json', 'utf8')));
    const [program = ''] = /infra\/\S+\.ts$/.exec(scripts[name] ?? '') ?? [];
    const own = `${name.replace(/-./, ([, letter = '']) => letter.toUpperCase())}Command`;
    expect(readFileSync(program, 'utf8').endsWith(`\nif (import.meta.main) await runCommand(${own});\n`)).toBe(true);
  });

  it.each(['trigger', 'listen', 'skip'] as const)('%s says how to start a stack where none runs', async (name) => {
    const { status, stderr } = await runIn('/nonexistent', name, ...(name === 'trigger' ? ['open', 'x'] : []));
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^No stack is running with \/nonexistent\. .+--data-dir <path>\n$/),
    ]);
  });
});

it.each([['trigger', 'open', 'x'], ['listen'], ['skip'], ['invoke', 'messages-get-message']] as const)(
  '%s says in one line that the stack does not answer, where another program has the number of a killed one',
  async (name, ...args) => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const directory = mkdtempSync(join(tmpdir(), 'killed-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    symlinkSync(join(stack.dataDirectory, 'cdk.out'), join(directory, 'cdk.out'));
    const aws = { ...demo.aws, lambda: url };
    const facts = { ...demo, pid: process.pid, apiBaseUrl: `${url}/api/v1`, inboxUrl: url, aws };
    writeFileSync(join(directory, 'stack.json'), JSON.stringify(facts));
    const { status, stdout, stderr } = await runIn(directory, name, ...args);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^The stack does not answer \(connect ECONNREFUSED .+\)\. .+\n$/);
  },
);

describe('the request log', () => {
  it('has the account’s requests from the functions’ log, newest first, by the permission of one function', async () => {
    await api('GET', '/contacts?limit=1&page_size=1');
    const { status, body } = await request(
      `${demo.adminBaseUrl}/accounts/${demo.accountId}/requests?path=/contacts&method=GET`,
      'GET',
      { authorization: `Bearer ${demo.adminToken}` },
    );
    expect(status).toBe(200);
    expect(body.data[0]).toMatchObject({
      route: 'GET /api/v1/contacts',
      status: 200,
      keyPrefix: demo.keys.messaging.slice(0, 7),
      ignored: ['page_size'],
    });
  });
});
