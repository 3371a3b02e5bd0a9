import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { calledCommand } from '../../test/called-command.ts';
import { takeDataDirectory } from '../local/data-directory.ts';
import { freePort } from '../local/free-port.ts';
import { freshStart } from '../local/fresh-start.ts';
import { doctorCommand } from './doctor.ts';
import { dataFinding, nodeFinding, portFinding, systemFinding } from './local-checks.ts';
import { differencesOfPackages } from './packages.ts';

const directories: string[] = [];
const newDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'doctor-'));
  directories.push(directory);
  return directory;
};
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true });
});

const run = (directory: string, ...args: readonly string[]) =>
  spawnSync(process.execPath, ['infra/doctor/main.mjs', ...args], {
    cwd: directory,
    encoding: 'utf8',
  });

describe('npm run doctor', () => {
  it('has one line for each check as JSON, and finds nothing wrong where the tests run', () => {
    const { status, stdout, stderr } = run('.', '--json', '--data-dir', newDirectory(), '--port', '1');
    const lines: { check?: string; level?: string }[] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ check }) => check)).toEqual([
      'Node.js',
      'System',
      'Packages',
      'Bundler',
      'Emulators',
      'Disk',
      'Data directory',
      'Port 1',
      'Port 8005',
      'Browser',
      undefined,
    ]);
    expect([status, stderr, lines.filter(({ level }) => level === 'problem')]).toEqual([0, '', []]);
  });

  it('runs before anything is installed, and says how to install it', () => {
    const checkout = newDirectory();
    cpSync('infra', join(checkout, 'infra'), { recursive: true });
    const next = 'Run npm ci (npm start does it too).';
    expect(run(checkout)).toMatchObject({
      status: 1,
      stdout: `PROBLEM  The packages are not installed. Next: ${next}\n`,
    });
    expect(JSON.parse(run(checkout, '--json').stdout)).toMatchObject({ check: 'Packages', level: 'problem', next });
  });

  it('checks the deployment that --stage names, as the other commands do', () => {
    for (const name of ['AWS_REGION', 'AWS_PROFILE']) vi.stubEnv(name, undefined);
    for (const name of ['AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE']) vi.stubEnv(name, '/dev/null');
    const { status, stdout } = run('.', '--stage', 'prod');
    vi.unstubAllEnvs();
    expect([status, stdout]).toEqual([1, expect.stringMatching(/^PROBLEM {2}Credentials .+AWS_REGION/)]);
  });

  it.each([['--stage', 'test'], ['--port', '0'], ['extra'], ['--wrong']])('refuses %s', async (...args) => {
    const { status, stdout, stderr } = await calledCommand(doctorCommand, args);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^\S.+\n$/);
  });
});

describe('a check', () => {
  it('is of the Node that runs npm', () => {
    expect(nodeFinding('npm/10.8.2 node/v20.20.2 linux x64').level).toBe('ok');
    expect(nodeFinding('npm/9.0.0 node/v18.20.0 linux x64')).toMatchObject({
      level: 'problem',
      text: '18.20.0 is too old.',
    });
    expect(nodeFinding().level).toBe('ok');
  });

  it('is of the system', () => {
    expect(systemFinding('darwin', 'arm64').level).toBe('ok');
    expect(systemFinding('freebsd', 'x64')).toMatchObject({
      level: 'warning',
      next: expect.stringContaining('DYNAMODB_ENDPOINT'),
    });
    expect(systemFinding('win32', 'x64')).toMatchObject({ level: 'problem', next: 'Run this inside WSL.' });
  });

  it('is of the packages that are installed, without those of other systems', () => {
    const checkout = newDirectory();
    const write = (file: string, packages: object) => writeFileSync(join(checkout, file), JSON.stringify({ packages }));
    const locked = {
      '': {},
      'node_modules/same': { version: '1.0.0' },
      'node_modules/older': { version: '2.0.0' },
      'node_modules/older/node_modules/@in/side': { version: '3.0.0' },
      'node_modules/of-another-system': { version: '1.0.0', optional: true },
    };
    write('package-lock.json', locked);
    expect(differencesOfPackages(checkout)).toHaveLength(3);
    mkdirSync(join(checkout, 'node_modules'));
    write('node_modules/.package-lock.json', {
      'node_modules/same': { version: '1.0.0' },
      'node_modules/older': { version: '1.9.0' },
    });
    expect(differencesOfPackages(checkout)).toEqual([
      'older (1.9.0 instead of 2.0.0)',
      '@in/side (missing instead of 3.0.0)',
    ]);
  });

  it('is of the data directory: not there, empty, of others, whole, ahead in time, locked, damaged', () => {
    const directory = join(newDirectory(), 'data');
    expect(dataFinding(directory)).toMatchObject({ level: 'ok', text: expect.stringContaining('does not exist yet') });
    mkdirSync(directory);
    expect(dataFinding(directory)).toMatchObject({ level: 'ok', text: expect.stringContaining('is empty') });
    writeFileSync(join(directory, 'clock.json'), '[{"sinceMs":0,"aheadMs":3600000}]');
    expect(dataFinding(directory)).toMatchObject({ level: 'problem', text: `${directory} holds other files.` });
    rmSync(join(directory, 'clock.json'));
    const lock = takeDataDirectory(directory, { isFresh: false });
    expect(dataFinding(directory)).toMatchObject({
      level: 'problem',
      text: `Another stack is running with ${directory}.`,
    });
    lock.release();
    writeFileSync(join(directory, 'clock.json'), '[{"sinceMs":0,"aheadMs":3600000}]');
    expect(dataFinding(directory)).toEqual({ level: 'ok', text: `${directory} is whole. Its clock is 1 hour ahead.` });
    writeFileSync(
      join(directory, 'dynamodb.sqlite'),
      'This is no database, and long enough to be read as one. '.repeat(20),
    );
    expect(dataFinding(directory)).toMatchObject({
      level: 'problem',
      next: expect.stringContaining(freshStart(directory)),
    });
  });

  it('is of a data directory that cannot be created, is a file, or belongs to another user, without advice to delete it', () => {
    const directory = join(newDirectory(), "it's");
    const file = join(directory, 'file.sqlite');
    mkdirSync(directory);
    writeFileSync(file, '');
    const next = expect.stringContaining('choose another place');
    expect(dataFinding(join(file, 'data'))).toMatchObject({ level: 'problem', next });
    expect(dataFinding(file)).toMatchObject({ level: 'problem', text: `${file} is not a folder.`, next });
    for (const refused of [file, directory])
      expect(dataFinding(directory, (path) => path !== refused)).toMatchObject({
        level: 'problem',
        text: `${refused} belongs to another user.`,
        next: expect.stringMatching(/chown .+\/it'\\''s'\. Or choose another place/),
      });
  });

  it('is of the file of a stack that is cut off', () => {
    const directory = newDirectory();
    writeFileSync(join(directory, 'stack.json'), '{"pid":');
    expect(dataFinding(directory)).toMatchObject({
      level: 'problem',
      text: `${join(directory, 'stack.json')} cannot be read.`,
      next: 'Restart the stack: npm start',
    });
  });

  it('is of a port that another program uses, and names one that a start takes', async () => {
    const port = await freePort();
    for (const [taken, other] of [
      [port, port + 1],
      [65_535, 3_000],
    ] as const) {
      const server = createServer().listen(taken, '127.0.0.1');
      await once(server, 'listening');
      expect(await portFinding(taken, newDirectory())).toEqual({
        level: 'problem',
        text: `Port ${taken} is in use.`,
        next: `Stop the process that uses it, or choose another port: npm start -- --port ${other}`,
      });
      await once(server.close(), 'close');
      expect((await portFinding(taken, newDirectory())).level).toBe('ok');
    }
  });
});
