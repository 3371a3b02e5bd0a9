import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { inFull } from '../../test/model-runs.ts';
import { filesOf, withRow } from './files.ts';
import { planOf } from './plan.ts';

const plan = (line: string) => planOf(line.split(' ').filter(Boolean), '.');

describe('npm run new', () => {
  it.each([
    ['', 'Name a method, a path and a folder: npm run new -- GET /api/v1/limits messages/get-limits'],
    ['GET /api/v1/limits', 'Name a method, a path and a folder: '],
    [
      'GET /api/v1/limits messages/get-limits --what',
      "Unknown option '--what'. npm run new -- --help shows all options.",
    ],
    ['FETCH /api/v1/limits messages/get-limits', 'FETCH: the method must be one of GET, POST, PUT, PATCH, DELETE'],
    ['GET api/v1/limits messages/get-limits', 'api/v1/limits: a path looks like /api/v1/things/{id}'],
    ['GET /api/v1/limits limits', 'limits: a folder is a subject and verb-noun'],
    ['GET /api/v1/messages/{messageId} messages/get-one', 'The route GET /api/v1/messages/{id} exists already.'],
    ['GET /api/v1/limits messages/get-message', 'functions/messages/get-message exists already'],
    [
      'GET /limits messages/get-limits',
      'Say who may call /limits: --auth operator, owner, developer, viewer, secret, secret-or-publishable, payer, provider, public, messages:send',
    ],
    ['GET /api/v1/limits messages/get-limits --auth everyone', 'Say who may call /api/v1/limits: --auth'],
  ])('refuses "%s" with one clear message', (line, message) => {
    expect(() => plan(line)).toThrow(message);
  });

  it('prints how to call it with --help, and ends with 0', () => {
    const main = ['--disable-warning=ExperimentalWarning', 'infra/new/main.ts', '--help'];
    const { status, stdout, stderr } = spawnSync(process.execPath, main, { encoding: 'utf8' });
    expect([status, stdout, stderr]).toEqual([
      0,
      expect.stringContaining('npm run new -- <method> <path> <folder>'),
      '',
    ]);
  });

  it('refuses to write over what an endpoint has left that was taken back by hand', () => {
    const root = mkdtempSync(join(tmpdir(), 'left-'));
    onTestFinished(() => rmSync(root, { recursive: true }));
    mkdirSync(join(root, 'events'));
    writeFileSync(join(root, 'events/messages-get-limits.json'), '{}');
    const args = ['GET', '/api/v1/limits', 'messages/get-limits'];
    expect(() => planOf(args, root)).toThrow('events/messages-get-limits.json exists already.');
  });

  it.each([
    ['GET /api/v1/limits messages/get-limits', { apiKey: 'messages:read' }],
    ['POST /api/v1/limits messages/set-limits', { apiKey: 'messages:send' }],
    ['POST /api/v1/hooks webhooks/make-hook', { apiKey: 'webhooks:manage' }],
    ['GET /admin/v1/limits admin/get-limits', { role: 'operator' }],
    ['GET /v1/public/limits checkout/get-limits', 'payer'],
    ['POST /callbacks/limits callbacks/receive-limits', 'provider'],
    ['GET /v1/limits merchants/get-limits', { checkoutKey: 'secret' }],
    ['POST /v1/limits checkout/set-limits --auth secret-or-publishable', { checkoutKey: 'secret-or-publishable' }],
    ['GET /limits docs/show-limits --auth public', 'public'],
    ['GET /api/v1/limits limits/get-limits --auth contacts:read', { apiKey: 'contacts:read' }],
  ])('finds who may call: %s', (line, auth) => {
    expect(plan(line).auth).toEqual(auth);
  });

  it('puts the row after the last one of the same API', () => {
    const table = (more = '') => `{
  'GET /api/v1/a': {
    does: 'x/a',
  },
  'GET /api/v1/b': { does: 'x/b' },
${more}  'GET /admin/v1/c': { does: 'x/c' },
}
`;
    expect(withRow(table(), plan('GET /api/v1/limits messages/get-limits'))).toBe(
      table(`  'GET /api/v1/limits': {
    does: 'messages/get-limits',
    auth: { apiKey: 'messages:read' },
    needs: [],
  },
`),
    );
  });
});

it('writes a test and an event with a checkout key for an endpoint of the checkout API', () => {
  const files = filesOf(plan('GET /v1/limits merchants/get-limits'));
  const test = files['functions/merchants/get-limits/handler.test.ts'] ?? '';
  expect(test).toContain("endpoint(getLimitsContract, getLimits, world.checkoutCallers('secret'))");
  expect(test).toContain(`{ headers: { authorization: \`Bearer \${key}\` } }`);
  expect(JSON.parse(files['events/merchants-get-limits.json'] ?? '').headers).toMatchObject({
    authorization: 'Bearer {{checkoutKey}}',
  });
});

it('writes a callback of a provider without a contract, and without callers of its row', () => {
  const files = filesOf(plan('POST /callbacks/limits callbacks/receive-limits'));
  expect(Object.keys(files)).toEqual([
    'functions/callbacks/receive-limits/handler.ts',
    'functions/callbacks/receive-limits/main.ts',
    'functions/callbacks/receive-limits/handler.test.ts',
    'events/callbacks-receive-limits.json',
  ]);
  expect(files['functions/callbacks/receive-limits/main.ts']).toContain('callback(receiveLimits, addressLimit(');
});

/** The architecture's "Adding an endpoint": its blocks, as a reader follows them. */
const [, , section = ''] =
  /\n(## Adding an endpoint\n)([\s\S]*?)\n## /.exec(readFileSync('infra/ARCHITECTURE.md', 'utf8')) ?? [];
const blocks = [...section.matchAll(/^```(?:ts)?\n(.*?)^```$/gms)].map(([, text = '']) => text);

const copy = mkdtempSync(join(tmpdir(), 'copy-'));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

const run = (line: string) => {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', line], { cwd: copy, encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
};

const inCopy = (file: string) => join(copy, file);

/** That the test fails first is for `npm run test:long`: each run of the tests takes six seconds of processor time to load. */
const followed = inFull ? blocks : blocks.filter((block) => !block.startsWith('npm run test:only'));

it('an endpoint is added as the document says', () => {
  for (const part of [
    'infra',
    'functions',
    'shared',
    'test',
    'events',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    '.biome.json',
    '.gitignore',
  ])
    cpSync(part, inCopy(part), { recursive: true });
  symlinkSync(resolve('node_modules'), inCopy('node_modules'));
  const testFile = inCopy('functions/messages/get-limits/handler.test.ts');
  const outcomes = followed.map((block) => {
    const [, file] = /^\/\/ (\S+\.ts)\n/.exec(block) ?? [];
    if (file) writeFileSync(inCopy(file), block.slice(block.indexOf('\n') + 1));
    else if (block.startsWith('npm ')) return run(block).status === 0 ? 'succeeds' : 'fails';
    else writeFileSync(testFile, readFileSync(testFile, 'utf8').replace(/^ {4}expect\(.*\n/m, block));
    return 'written';
  });
  expect(outcomes).toEqual(['succeeds', 'written', 'written', ...(inFull ? ['fails'] : []), 'written']);
  const checked = run('npm run test:only -- functions/messages/get-limits infra/check-rows');
  expect(checked, checked.output).toMatchObject({ status: 0 });
  // All types take half a minute; those of the two blocks do not depend on the rest.
  const files = ['contract.ts', 'handler.ts'].map((name) => `functions/messages/get-limits/${name}`);
  writeFileSync(inCopy('tsconfig.new.json'), JSON.stringify({ extends: './tsconfig.json', include: [], files }));
  const tidy = run(
    'node_modules/.bin/tsc -p tsconfig.new.json --checkers 1 && node_modules/.bin/biome check infra/routes.ts functions/messages/get-limits events',
  );
  expect(tidy, tidy.output).toMatchObject({ status: 0 });
});
