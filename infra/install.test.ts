import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { inFull } from '../test/model-runs.ts';

// The pre-step of the two commands, with a fake platform and a fake npm.

const packageJson = { optionalDependencies: { '@dynoxide/linux-x64': '1.2.1' } };
const required = { 'node_modules/zod': { version: '4.6.0' }, 'node_modules/esbuild': { version: '0.28.2' } };
const lockfile = {
  packages: {
    '': {},
    ...required,
    'node_modules/@esbuild/darwin-arm64': { optional: true, os: ['darwin'], cpu: ['arm64'] },
    'node_modules/@esbuild/linux-arm64': { optional: true, os: ['linux'], cpu: ['arm64'] },
    'node_modules/@esbuild/linux-x64': { optional: true, os: ['linux'], cpu: ['x64'] },
    'node_modules/@rolldown/binding-linux-x64-gnu': { optional: true, os: ['linux'], cpu: ['x64'], libc: ['glibc'] },
    'node_modules/@rolldown/binding-linux-x64-musl': { optional: true, os: ['linux'], cpu: ['x64'], libc: ['musl'] },
    'node_modules/@emnapi/core': { optional: true },
  },
};

/** A fake npm: it records one call a line, waits for a file if it is to, and installs by making folders, into an empty folder as the real one does. */
const npm = `#!/bin/sh
echo "$*" >> "$NPM_CALLS"
echo "npm warn EBADENGINE Unsupported engine"
if [ "$NPM_FAILS" = always ]; then echo "npm error no network" >&2; exit 1; fi
if [ -n "$NPM_FAILS" ] && [ "\${*#*--prefer-offline}" != "$*" ]; then echo "npm error code ETARGET" >&2; exit 1; fi
if [ "$1" = ci ]; then
  echo $$ > npm-pid
  rm -rf node_modules/*
  while [ -e "$0" ] && [ -n "$NPM_AWAITS" ] && [ ! -e "$NPM_AWAITS" ]; do sleep 0.05; done
  mkdir -p ${Object.keys(required).join(' ')}
  echo '${JSON.stringify({ packages: required })}' > node_modules/.package-lock.json
  exit 0
fi
while [ "$1" != --prefix ]; do shift; done
prefix=$2
for wanted; do :; done
folder="$prefix/node_modules/\${wanted%@*}"
mkdir -p "$folder" && echo binary > "$folder/dynoxide"
`;

const anew =
  'ci --include=dev --include=optional --include=peer --legacy-peer-deps=false --install-strategy=hoisted --dry-run=false --no-audit --no-fund --loglevel=error';
const wholeTree = anew.replace('--no-audit', '--prefer-offline --no-audit');

const places: string[] = [];
afterEach(() => {
  for (const place of places.splice(0)) rmSync(place, { recursive: true });
});

const changeLockfile = (clone: string, path: string, version: string | undefined): void => {
  const packages = { ...lockfile.packages, [path]: version === undefined ? undefined : { version } };
  writeFileSync(join(clone, 'package-lock.json'), JSON.stringify({ packages }));
};

/** A clone in a folder with a space in its name, on a machine of this kind. */
const newClone = (platform: string, arch: string) => {
  // On macOS the temporary directory is a symbolic link; programs see its target.
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'install ')));
  places.push(place);
  const [clone, bin, calls] = [join(place, 'clone'), join(place, 'bin'), join(place, 'calls')];
  for (const folder of [join(clone, 'infra'), bin]) mkdirSync(folder, { recursive: true });
  cpSync('infra/install.mjs', join(clone, 'infra/install.mjs'));
  const texts = [JSON.stringify(packageJson), JSON.stringify(lockfile)] as const;
  writeFileSync(join(clone, 'package.json'), texts[0]);
  writeFileSync(join(clone, 'package-lock.json'), texts[1]);
  utimesSync(join(clone, 'package-lock.json'), new Date(0), new Date(1_000));
  writeFileSync(join(bin, 'npm'), npm, { mode: 0o755 });
  const machine = `data:text/javascript,${encodeURIComponent(
    `for (const [name, value] of Object.entries(${JSON.stringify({ platform, arch })})) Object.defineProperty(process, name, { value });`,
  )}`;

  const variables = { PATH: `${bin}:/usr/bin:/bin`, NPM_CALLS: calls };
  const program = ['--import', machine, 'infra/install.mjs'];

  return {
    clone,
    bin,
    /** What an install of the emulator has left. */
    parts: () => globSync('node_modules/.cache/emulator-*', { cwd: clone }),
    home: join(clone, 'node_modules', '@dynoxide', `${platform}-${arch}`),
    isUntouched: () =>
      ['package.json', 'package-lock.json'].every((name, i) => readFileSync(join(clone, name), 'utf8') === texts[i]),
    start: (environment: Readonly<Record<string, string>> = {}) =>
      spawn(process.execPath, program, { cwd: clone, env: { ...variables, ...environment } }),
    run: (environment: Readonly<Record<string, string>> = {}) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, program, {
        cwd: clone,
        encoding: 'utf8',
        env: { ...variables, ...environment },
      });
      const asked = existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : [];
      rmSync(calls, { force: true });
      return { status, stdout, stderr, asked };
    },
  };
};

it('comes before every command that is TypeScript, which the Node of the machine may not read, and looks for Node anew', () => {
  const scripts: Record<string, string> = JSON.parse(readFileSync('package.json', 'utf8')).scripts;
  const commands = Object.entries(scripts).filter(
    ([name, text]) => /node .*\.ts$/.test(text) && !scripts[`pre${name}`],
  );
  expect(commands.length).toBeGreaterThan(10);
  // A shell remembers where it found a program, and `env` looks on the path.
  for (const [, text] of commands)
    expect(text).toMatch(/^node infra\/install\.mjs && exec env node --disable-warning=/);
});

it('no command of vitest has its filters behind two hyphens, where it ignores them and runs everything', () => {
  const scripts: Record<string, string> = JSON.parse(readFileSync('package.json', 'utf8')).scripts;
  const commands = Object.values(scripts).filter((text) => text.includes('vitest run'));
  expect(commands.length).toBeGreaterThan(1);
  for (const text of commands) expect(text).not.toMatch(/vitest run .* -- /);
});

describe('on every system', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ...(inFull
      ? ([
          ['SIGHUP', 129],
          ['SIGQUIT', 131],
        ] as const)
      : []),
  ] as const)(
    'that gets %s while it installs ends npm and all that npm has started, and leaves nothing of the emulator',
    async (signal, code) => {
      const { clone, bin, start, parts } = newClone('linux', 'arm64');
      // The script is a child of npm, as those of packages are.
      const slow = 'sh -c "echo $$ > pid; sleep 60; true"';
      writeFileSync(
        join(bin, 'npm'),
        npm.replace('prefix=$2', () => slow),
        { mode: 0o755 },
      );
      const child = start();
      const pidFile = join(clone, 'pid');
      await vi.waitFor(() => expect(readFileSync(pidFile, 'utf8')).toMatch(/^\d+\n$/), { timeout: 20_000 });
      expect(parts()).toHaveLength(1);
      // Ctrl-C pressed twice.
      for (const one of [signal, signal]) child.kill(one);
      expect(await once(child, 'close')).toEqual([code, null]);
      const group = Number(readFileSync(pidFile, 'utf8'));
      await vi.waitFor(() => expect(() => process.kill(-group, 0)).toThrow('ESRCH'), { timeout: 20_000 });
      expect(parts()).toEqual([]);
    },
  );

  it('prints the number of packages it installs, and hides npm’s output', () => {
    const { run } = newClone('darwin', 'arm64');
    const { status, stdout, stderr, asked } = run({ DYNAMODB_ENDPOINT: 'http://localhost:8000' });
    expect([status, stdout, stderr]).toEqual([0, 'Installing 3 packages…\n', '']);
    expect(asked).toEqual([wholeTree]);
  });

  it('asks for packages anew when npm’s cache is older than the lockfile', () => {
    const { run } = newClone('darwin', 'arm64');
    const { status, asked } = run({ DYNAMODB_ENDPOINT: 'http://localhost:8000', NPM_FAILS: 'by cache' });
    expect([status, asked]).toEqual([0, [wholeTree, anew]]);
  });

  it('shows npm’s output and fails when npm fails', () => {
    const { run } = newClone('linux', 'x64');
    const { status, stderr, asked } = run({ NPM_FAILS: 'always' });
    expect([status, asked]).toEqual([1, [wholeTree]]);
    expect(stderr).toContain('npm error no network');
    expect(stderr).toContain('npm ci failed');
  });

  it('prints nothing and does not call npm when everything is installed, however old it is', () => {
    const { run, clone } = newClone('darwin', 'x64');
    run();
    const later = new Date(Date.now() + 60_000);
    utimesSync(join(clone, 'package-lock.json'), later, later);
    expect(run()).toEqual({ status: 0, stdout: '', stderr: '', asked: [] });
  });

  it.each([
    ['is missing', (clone: string) => rmSync(join(clone, 'node_modules/zod'), { recursive: true })],
    ['has another version in the lockfile', (clone: string) => changeLockfile(clone, 'node_modules/zod', '4.6.1')],
    ['is new in the lockfile', (clone: string) => changeLockfile(clone, 'node_modules/preact', '11.2.0')],
  ])('installs again when a package %s', (_, change) => {
    const { run, clone } = newClone('darwin', 'x64');
    run();
    change(clone);
    expect(run().asked[0]).toBe(wholeTree);
  });

  it('leaves a package that somebody has added', () => {
    const { run, clone } = newClone('darwin', 'x64');
    run();
    changeLockfile(clone, 'node_modules/zod', undefined);
    expect(run().asked).toEqual([]);
  });

  /** One that installs until its gate opens, and one that waits for it. */
  const startTwo = async () => {
    const { run, start, bin, clone } = newClone('linux', 'x64');
    const gate = join(bin, '../gate');
    const environment = { DYNAMODB_ENDPOINT: 'http://localhost:8000', NPM_AWAITS: gate };
    const installing = start(environment);
    onTestFinished(() => void installing.kill());
    await once(installing.stdout, 'data');
    const waiting = start(environment);
    onTestFinished(() => void waiting.kill());
    expect(String(await once(waiting.stdout, 'data'))).toMatch(/^Waiting for another command/);
    const npmPid = join(clone, 'npm-pid');
    await vi.waitFor(() => expect(readFileSync(npmPid, 'utf8')).toMatch(/^\d+\n$/), { timeout: 20_000 });
    return {
      installing,
      waiting,
      startAnother: async () => {
        const another = start(environment);
        onTestFinished(() => void another.kill());
        expect(String(await once(another.stdout, 'data'))).toMatch(/^Waiting for another command/);
        return another;
      },
      killNpm: () => process.kill(-Number(readFileSync(npmPid, 'utf8')), 'SIGKILL'),
      open: () => writeFileSync(gate, ''),
      run: () => run(environment),
    };
  };

  it('waits for another that installs, and leaves it at that', async () => {
    const { installing, waiting, open, run } = await startTwo();
    open();
    const ends = await Promise.all([installing, waiting].map((child) => once(child, 'close')));
    expect(ends).toEqual([
      [0, null],
      [0, null],
    ]);
    expect(run().asked).toEqual([wholeTree]);
  });

  it('waits for the npm of one that was killed, and goes on when nobody installs any more', async () => {
    const { installing, waiting, startAnother, open, run } = await startTwo();
    installing.kill('SIGKILL');
    await once(installing, 'exit');
    const another = await startAnother();
    open();
    const ends = await Promise.all([waiting, another].map((child) => once(child, 'close')));
    expect(ends).toEqual([
      [0, null],
      [0, null],
    ]);
    expect(run().asked).toEqual([wholeTree]);
  });

  it('lets one of those that waited install, when one and its npm were killed', async () => {
    const { installing, waiting, startAnother, killNpm, open, run } = await startTwo();
    const others = [await startAnother(), await startAnother(), await startAnother()];
    installing.kill('SIGKILL');
    killNpm();
    open();
    const ends = await Promise.all([waiting, ...others].map((child) => once(child, 'close')));
    expect(ends).toEqual(Array(4).fill([0, null]));
    expect(run().asked).toEqual([wholeTree, wholeTree]);
  });

  it('replaces a link to the packages of another checkout by packages of its own, and leaves those of the other', () => {
    const { run, clone, bin } = newClone('darwin', 'x64');
    const others = join(bin, '../others');
    mkdirSync(join(others, 'zod'), { recursive: true });
    symlinkSync(others, join(clone, 'node_modules'));
    expect(run({ DYNAMODB_ENDPOINT: 'http://localhost:8000' }).status).toBe(0);
    expect(existsSync(join(others, 'zod'))).toBe(true);
    expect(lstatSync(join(clone, 'node_modules')).isDirectory()).toBe(true);
  });

  it('refuses Windows with one line that names WSL', () => {
    const { status, stderr, asked } = newClone('win32', 'x64').run();
    expect([status, asked]).toEqual([1, []]);
    expect(stderr).toMatch(/^On Windows, run this inside WSL.*\n$/);
  });
});

describe('the DynamoDB emulator', () => {
  it.each([
    ['darwin', 'arm64'],
    ['linux', 'x64'],
    ...(inFull
      ? ([
          ['darwin', 'x64'],
          ['linux', 'arm64'],
        ] as const)
      : []),
  ] as const)(
    'of %s %s is installed once, at the pinned version, and package.json and lockfile stay as they are',
    (...machine) => {
      const { run, home, isUntouched, clone } = newClone(...machine);
      const { status, stdout, stderr, asked } = run();
      expect([status, stderr]).toEqual([0, '']);
      expect(stdout).toContain(`Installing the DynamoDB emulator for ${machine.join('-')}…\n`);
      expect(asked).toHaveLength(2);
      expect(asked[1]).toMatch(
        new RegExp(
          `^install --prefix ${clone}/.* --no-save --no-package-lock .*@dynoxide/${machine.join('-')}@1\\.2\\.1$`,
        ),
      );
      expect(readFileSync(join(home, 'dynoxide'), 'utf8')).toBe('binary\n');
      expect(isUntouched()).toBe(true);
      expect(run().asked).toEqual([]);
    },
  );

  it.each([
    ['DYNAMODB_ENDPOINT is set', { DYNAMODB_ENDPOINT: 'http://localhost:8000' }, false],
    ['dynoxide is on the PATH', {}, true],
  ])('is not installed when %s', (_, environment, isOnPath) => {
    const { run, bin, home } = newClone('linux', 'arm64');
    if (isOnPath) writeFileSync(join(bin, 'dynoxide'), '', { mode: 0o755 });
    const { status, asked } = run(environment);
    expect([status, asked.length, existsSync(home)]).toEqual([0, 1, false]);
  });

  it.each([
    ['darwin', 'arm64', 'could not be installed'],
    ['freebsd', 'x64', 'No DynamoDB emulator is available for freebsd-x64.'],
  ])('that cannot be had for %s %s is one line that says what to do, and leaves nothing behind', (...machine) => {
    const [platform, arch, reason] = machine;
    const { run, home, parts } = newClone(platform, arch);
    run({ DYNAMODB_ENDPOINT: 'http://localhost:8000' });
    const { status, stderr } = run({ NPM_FAILS: 'always' });
    expect([status, existsSync(home)]).toEqual([1, false]);
    expect(stderr).toMatch(
      /^[^\n]*Put dynoxide 1\.2\.1 on the PATH, or run DynamoDB Local and set DYNAMODB_ENDPOINT [^\n]*\n$/,
    );
    expect(stderr).toContain(reason);
    expect(parts()).toEqual([]);
  });
});
