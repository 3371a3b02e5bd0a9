// Runs before each command, on the machine's own Node, so it is plain JavaScript without a dependency.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { platform, arch, env } = process;

const jsonOf = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));

const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGQUIT: 131, SIGTERM: 143 };

let child;
let stopCode;
/** A signal ends npm with all that it has started, and then this process: an install that goes on would be in the way of the next one. */
for (const [signal, code] of Object.entries(exitCodes))
  process.on(signal, () => {
    stopCode ??= code;
    if (!child) process.exit(stopCode);
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended already.
    }
  });

/** Runs npm silently; its output is shown only when it fails. */
const npm = async (...args) => {
  child = spawn('npm', args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  const [status] = await once(child, 'close').catch(({ message }) => {
    output = message;
    return [];
  });
  if (stopCode) process.exit(stopCode);
  child = undefined;
  return { isDone: status === 0, output: output.trim() };
};

const fail = (...lines) => {
  process.stderr.write(`${lines.join('\n')}\n`);
  process.exit(1);
};

/** What npm has installed, by path. It writes the file last. */
const installedPackages = () => {
  try {
    return jsonOf('node_modules/.package-lock.json').packages;
  } catch {
    return {};
  }
};

const isInstalled = () => {
  const installed = installedPackages();
  const { '': _, ...wanted } = jsonOf('package-lock.json').packages;
  return Object.keys({ ...installed, ...wanted }).every((path) =>
    installed[path]
      ? installed[path].version === wanted[path]?.version && existsSync(join(root, path))
      : wanted[path].optional,
  );
};

/** npm skips optional packages of other systems. */
const isForThisMachine = ({ optional, os, cpu, libc }) =>
  !optional || Boolean(os?.includes(platform) && cpu?.includes(arch) && (!libc || libc.includes(ownLibc())));

const ownLibc = () => {
  // Otherwise the report does a DNS lookup for every connection.
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl';
};

const installPackages = async () => {
  const [, ...packages] = Object.values(jsonOf('package-lock.json').packages);
  process.stdout.write(`Installing ${packages.filter(isForThisMachine).length} packages…\n`);
  // Through a link, npm ci would delete the packages of another checkout.
  const packagesFolder = join(root, 'node_modules');
  if (lstatSync(packagesFolder, { throwIfNoEntry: false })?.isSymbolicLink()) unlinkSync(packagesFolder);
  const { isDone, output } = await npm('ci', '--no-audit', '--no-fund', '--loglevel=error');
  if (!isDone) fail(output, 'The packages could not be installed: npm ci failed.');
};

/** The lockfile names the DynamoDB emulator for Linux x64 alone; its package for each of these systems has the same version. */
const emulatorSystems = ['darwin-arm64', 'darwin-x64', 'linux-arm64'];
const system = `${platform}-${arch}`;
const emulator = `@dynoxide/${system}`;
const home = join(root, 'node_modules', emulator);

const hasEmulator = () =>
  Boolean(env.DYNAMODB_ENDPOINT) ||
  existsSync(home) ||
  (env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, 'dynoxide')));

/** In a separate folder, because `npm install` here would re-resolve all other packages. */
const installEmulator = async () => {
  const version = jsonOf('package.json').optionalDependencies['@dynoxide/linux-x64'];
  const remedy = `Put dynoxide ${version} on the PATH, or run DynamoDB Local and set DYNAMODB_ENDPOINT to its URL.`;
  if (!emulatorSystems.includes(system)) fail(`No DynamoDB emulator is available for ${system}. ${remedy}`);
  process.stdout.write(`Installing the DynamoDB emulator for ${system}…\n`);
  const cache = join(root, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const place = mkdtempSync(join(cache, 'emulator-'));
  process.once('exit', () => rmSync(place, { recursive: true, force: true }));
  const options = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { isDone } = await npm('install', '--prefix', place, ...options, `${emulator}@${version}`);
  const fetched = join(place, 'node_modules', emulator);
  if (!isDone || !existsSync(join(fetched, 'dynoxide')))
    fail(`The DynamoDB emulator ${emulator}@${version} could not be installed. ${remedy}`);
  mkdirSync(dirname(home), { recursive: true });
  renameSync(fetched, home);
};

/** Names the process that installs. */
const lock = join(root, '.installing');

const takeLock = () => {
  try {
    writeFileSync(lock, `${process.pid}`, { flag: 'wx' });
    process.once('exit', () => rmSync(lock, { force: true }));
    return true;
  } catch ({ code, message }) {
    if (code !== 'EEXIST') fail(`The packages cannot be installed: ${message}`);
    return false;
  }
};

/** Undefined between the moments in which a process makes the file, writes its number, and removes it. */
const lockHolder = () => {
  try {
    return Number(readFileSync(lock, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
};

const hasEnded = (pid) => {
  try {
    return !process.kill(pid, 0);
  } catch ({ code }) {
    return code === 'ESRCH';
  }
};

/** Two installs at once would delete what the other has written. */
const waitForOthers = async () => {
  for (let isFirst = true; !takeLock(); isFirst = false) {
    const holder = lockHolder();
    if (holder && hasEnded(holder)) rmSync(lock, { force: true });
    else if (isFirst) process.stdout.write('Waiting for the process in .installing, which installs the packages…\n');
    await sleep(100);
  }
};

if (platform === 'win32') fail('On Windows, run this inside WSL: it needs a POSIX shell and POSIX signals.');
if (!isInstalled() || !hasEmulator()) {
  await waitForOthers();
  if (!isInstalled()) await installPackages();
  if (!hasEmulator()) await installEmulator();
}
