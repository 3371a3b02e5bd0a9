// Runs before each command, on the machine's own Node, so it is plain JavaScript without a dependency.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
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

let lockHandle = 'ignore';
/** Runs npm silently; its output is shown only when it fails. */
const npm = async (...args) => {
  child = spawn('npm', args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe', lockHandle], detached: true });
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
  return Object.entries(wanted).every(([path, { version, optional }]) =>
    installed[path] ? installed[path].version === version && existsSync(join(root, path)) : optional,
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

/** All that is in the lockfile, whatever a user or an outer command has set for npm. */
const wholeTree = [
  ...['dev', 'optional', 'peer'].map((kind) => `--include=${kind}`),
  '--legacy-peer-deps=false',
  '--install-strategy=hoisted',
  '--dry-run=false',
];

/** What npm knows of the packages already is not asked for again, a third of the work. An older cache does not know every version. */
const installPackages = async () => {
  const [, ...packages] = Object.values(jsonOf('package-lock.json').packages);
  process.stdout.write(`Installing ${packages.filter(isForThisMachine).length} packages…\n`);
  // Through a link, npm ci would delete the packages of another checkout.
  const packagesFolder = join(root, 'node_modules');
  if (lstatSync(packagesFolder, { throwIfNoEntry: false })?.isSymbolicLink()) unlinkSync(packagesFolder);
  const ci = (...more) => npm('ci', ...wholeTree, ...more, '--no-audit', '--no-fund', '--loglevel=error');
  const cached = await ci('--prefer-offline');
  // npm’s code for a version that it does not know.
  const { isDone, output } = cached.output.includes('ETARGET') ? await ci() : cached;
  if (!isDone) fail(output, 'The packages could not be installed: npm ci failed.');
};

/**
 * The lockfile names the DynamoDB emulator for Linux x64 alone, and npm may leave that out, because it is optional; its package for each of these
 * systems has the same version.
 */
const emulatorSystems = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'];
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

/**
 * The socket of whoever installs: all who connect learn when that process has ended, however it did. npm gets the socket too, because it goes on
 * when this process is killed. A relative path, because those of sockets are short.
 */
const lock = '.installing';
process.chdir(root);

/** Two installs at once would delete what the other has written. */
const takeLock = async () => {
  const own = `${lock}-${randomUUID()}`;
  const server = createServer((waiting) => waiting.unref()).unref();
  try {
    await once(server.listen(own), 'listening');
  } catch {
    // Where the checkout can have no sockets, nobody has a lock.
    return;
  }
  process.once('exit', () => rmSync(own, { force: true }));
  const left = [];
  let name = lock;
  while (!isNamed(own, name)) {
    const successor = await successorOf(name);
    if (successor === undefined) left.length = 0;
    else left.push(name);
    name = successor ?? lock;
  }
  process.once('exit', (code) => {
    // While it is not known to be installed, the locks of dead processes stay, so that all who wait meet at the same one.
    for (const each of code === 0 ? [...left, name] : [name]) rmSync(each, { force: true });
  });
  lockHandle = server._handle.fd;
};

/** Only one socket gets the name, and none before it listens: it would be taken for that of a dead process. */
const isNamed = (own, name) => {
  try {
    linkSync(own, name);
    return true;
  } catch ({ code }) {
    return code !== 'EEXIST';
  }
};

/** Another socket has another time, also where it gets the number of one that was removed. */
const lockId = (name) => {
  const found = lstatSync(name, { throwIfNoEntry: false });
  return found && `${found.ino}-${found.ctimeMs}`;
};

/**
 * Waits while the process that has this lock is alive. The lock of one that was killed is never removed for another: two could do so, one after the
 * other, and the second would remove that of the first. It has a successor instead, whose name follows from it.
 */
const successorOf = async (name) => {
  const found = lockId(name);
  const other = connect(name);
  try {
    await once(other, 'connect');
  } catch ({ code }) {
    return code === 'ECONNREFUSED' && found !== undefined && lockId(name) === found ? `${lock}-${found}` : undefined;
  }
  process.stdout.write('Waiting for another command, which installs the packages…\n');
  await once(other.resume(), 'close').catch(() => undefined);
  return undefined;
};

if (platform === 'win32') fail('On Windows, run this inside WSL: it needs a POSIX shell and POSIX signals.');
if (!isInstalled() || !hasEmulator()) {
  await takeLock();
  if (!isInstalled()) await installPackages();
  if (!hasEmulator()) await installEmulator();
}
