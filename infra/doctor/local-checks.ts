import {
  accessSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { transform } from 'esbuild';
import { reasonOf } from '../local/complaints.ts';
import { takeDataDirectory } from '../local/data-directory.ts';
import { durationWords } from '../local/duration.ts';
import { startDynamodb } from '../local/emulators/dynamodb.ts';
import { startSqs } from '../local/emulators/sqs.ts';
import { freshStart } from '../local/fresh-start.ts';
import { requireFreePort } from '../local/http-api-server.ts';
import { inShell } from '../local/in-shell.ts';
import { findRunningStack, runningStackIn } from '../local/running-stack.ts';
import { aheadIn } from '../local/stack-clock.ts';
import { StartFailure } from '../local/start-failure.ts';
import { type Check, type Finding, ok, problem, warning } from './finding.ts';
import { differencesOfPackages } from './packages.ts';

interface Place {
  /** The port that the stack is to have. */
  readonly port: number;
  readonly dataDirectory: string;
}

const leastMajor = 20;
const gigabyte = 1024 ** 3;
const inboxPort = 8005;

/** What `npm start` needs of this machine. */
export const localChecks = ({ port, dataDirectory }: Place): readonly Check[] => [
  { name: 'Node.js', find: () => nodeFinding(process.env['npm_config_user_agent']) },
  { name: 'System', find: () => systemFinding(process.platform, process.arch) },
  { name: 'Packages', find: packagesFinding },
  { name: 'Bundler', find: bundlerFinding },
  { name: 'Emulators', find: emulatorsFinding },
  { name: 'Disk', find: () => diskFinding(dataDirectory) },
  { name: 'Data directory', find: () => dataFinding(dataDirectory) },
  { name: `Port ${port}`, find: () => portFinding(port, dataDirectory) },
  { name: `Port ${inboxPort}`, find: () => inboxFinding(dataDirectory) },
  { name: 'Browser', find: browserFinding },
];

/** npm names the machine's Node in its user agent; its scripts run with that of the packages. */
export const nodeFinding = (npmUserAgent = ''): Finding => {
  const machine = /node\/v(\S+)/.exec(npmUserAgent)?.[1] ?? process.versions.node;
  return Number(machine.split('.')[0]) >= leastMajor
    ? ok(`${machine} runs npm, ${process.versions.node} runs the stack.`)
    : problem(`${machine} is too old.`, `Install Node.js ${leastMajor} or newer.`);
};

export const systemFinding = (platform: string, arch: string): Finding => {
  const system = `${platform}-${arch}`;
  if (platform === 'win32') return problem('Windows has no POSIX shell.', 'Run this inside WSL.');
  return /^(linux|darwin)-(x64|arm64)$/.test(system)
    ? ok(system)
    : warning(
        `${system} has no package of the DynamoDB emulator.`,
        'Put dynoxide on the PATH, or set DYNAMODB_ENDPOINT.',
      );
};

const packagesFinding = (): Finding => {
  const different = differencesOfPackages(process.cwd());
  const [first] = different;
  return first === undefined
    ? ok('The installed packages are those of package-lock.json.')
    : problem(
        `${different.length} installed packages are not those of package-lock.json, for example ${first}.`,
        'Run npm ci.',
      );
};

const bundlerFinding = async (): Promise<Finding> => {
  try {
    await transform('const one: number = 1', { loader: 'ts' });
    return ok('esbuild runs.');
  } catch (thrown) {
    return problem(`esbuild does not run: ${reasonOf(thrown)}`, 'Run npm ci.');
  }
};

/** Starts those that depend on the machine, on free ports and in a directory of their own. */
const emulatorsFinding = async (): Promise<Finding> => {
  const directory = mkdtempSync(join(tmpdir(), 'doctor-'));
  try {
    const options = { dataDirectory: directory, tables: [], queues: [] };
    for (const start of [startDynamodb, startSqs]) await (await start(options)).close();
    return ok('DynamoDB and SQS start.');
  } catch (thrown) {
    return problem(`An emulator does not start: ${reasonOf(thrown)}`, 'Run npm ci, then npm run doctor again.');
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};

/** The directory, or the nearest above it that exists. */
const existing = (directory: string): string => (existsSync(directory) ? directory : existing(dirname(directory)));

const diskFinding = (dataDirectory: string): Finding => {
  const { bavail, bsize } = statfsSync(existing(dataDirectory));
  const free = bavail * bsize;
  const text = `${(free / gigabyte).toFixed(1)} GB are free for ${dataDirectory}.`;
  if (free < gigabyte / 4)
    return problem(text, 'Free some space, or choose another place: npm start -- --data-dir <path>');
  return free < gigabyte ? warning(text, 'Free some space: data and logs grow.') : ok(text);
};

const anotherPlace = 'choose another place: npm start -- --data-dir <path>';

/** `mayUse`: whether this user may read and change a file or folder. */
export const dataFinding = (dataDirectory: string, mayUse = isUsable): Finding => {
  if (!existsSync(dataDirectory)) {
    const place = existing(dataDirectory);
    return takesFolders(place)
      ? ok(`${dataDirectory} does not exist yet; npm start makes it.`)
      : problem(`${dataDirectory} cannot be created in ${place}.`, `To start, ${anotherPlace}`);
  }
  if (!statSync(dataDirectory).isDirectory())
    return problem(`${dataDirectory} is not a folder.`, `To start, ${anotherPlace}`);
  const refused = mayUse(dataDirectory) ? filesIn(dataDirectory).find((file) => !mayUse(file)) : dataDirectory;
  if (refused !== undefined)
    return problem(
      `${refused} belongs to another user.`,
      `Make all of it yours: sudo chown -R "$(id -un)" ${inShell(dataDirectory)}. Or ${anotherPlace}`,
    );
  return contentFinding(dataDirectory);
};

const isUsable = (file: string): boolean => {
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
    return true;
  } catch (thrown) {
    return !(thrown instanceof Error && 'code' in thrown && ['EACCES', 'EPERM', 'EROFS'].includes(String(thrown.code)));
  }
};

const takesFolders = (place: string): boolean => {
  try {
    rmdirSync(mkdtempSync(join(place, 'doctor-')));
    return true;
  } catch {
    return false;
  }
};

/** What would end a start. The last sentence of its line says what to do. */
const refusedStart = (thrown: unknown): Finding => {
  if (!(thrown instanceof StartFailure)) throw thrown;
  const [text = '', next = 'Choose another directory: npm start -- --data-dir ./data'] =
    thrown.message.split(/\. (?=[A-Z][^.]*: npm)/);
  return problem(`${text.replace(/\.$/, '')}.`, next);
};

const contentFinding = (dataDirectory: string): Finding => {
  try {
    if (runningStackIn(dataDirectory))
      return ok(`${dataDirectory} is in use by the running stack.${clockNote(dataDirectory)}`);
    if (readdirSync(dataDirectory).length === 0) return ok(`${dataDirectory} is empty.`);
    takeDataDirectory(dataDirectory, { isFresh: false }).release();
  } catch (thrown) {
    return refusedStart(thrown);
  }
  const damaged = databasesIn(dataDirectory).filter((file) => !isWhole(file));
  return damaged.length > 0
    ? problem(`${damaged.join(' and ')} cannot be read.`, `Start without the data: ${freshStart(dataDirectory)}`)
    : ok(`${dataDirectory} is whole.${clockNote(dataDirectory)}`);
};

const clockNote = (dataDirectory: string): string => {
  const aheadMs = aheadIn(dataDirectory);
  return aheadMs === 0 ? '' : ` Its clock is ${durationWords(aheadMs / 1_000)} ahead.`;
};

const filesIn = (directory: string): readonly string[] =>
  [directory, join(directory, 'sqs')]
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));

const databasesIn = (directory: string): readonly string[] =>
  filesIn(directory).filter((file) => /\.(sqlite|db)$/.test(file));

const isWhole = (file: string): boolean => {
  try {
    const database = new DatabaseSync(file);
    const [row] = database.prepare('PRAGMA quick_check(1)').all();
    database.close();
    return row?.['quick_check'] === 'ok';
  } catch {
    return false;
  }
};

/** The ports of the stack that runs with this directory. */
const runningPorts = (dataDirectory: string): readonly number[] => {
  try {
    const { apiBaseUrl, inboxUrl } = findRunningStack(dataDirectory);
    return [apiBaseUrl, inboxUrl].map((url) => Number(new URL(url).port));
  } catch {
    // None runs, or the check of the directory reports its file.
    return [];
  }
};

export const portFinding = async (port: number, dataDirectory: string): Promise<Finding> => {
  if (runningPorts(dataDirectory).includes(port)) return ok('The running stack has it.');
  return requireFreePort(port).then(() => ok('It is free.'), refusedStart);
};

const inboxFinding = async (dataDirectory: string): Promise<Finding> => {
  if (runningPorts(dataDirectory).includes(inboxPort)) return ok('The inbox of the running stack has it.');
  return requireFreePort(inboxPort).then(
    () => ok('It is free for the inbox.'),
    () => ok('Another program uses it; the inbox takes the next free port.'),
  );
};

const browsers = ['/usr/bin/google-chrome', '/usr/bin/chromium', '/Applications/Google Chrome.app'];

const browserFinding = (): Finding => {
  const { CHROME_PATH } = process.env;
  if (CHROME_PATH && !existsSync(CHROME_PATH))
    return warning(`CHROME_PATH names no file: ${CHROME_PATH}.`, 'Set it to the program of Chrome.');
  const isPackaged = process.platform === 'linux' && process.arch === 'x64';
  return CHROME_PATH || isPackaged || browsers.some((file) => existsSync(file))
    ? ok('Chromium is there for the tests of the screens.')
    : warning(
        'There is no Chromium; the tests of the screens are skipped.',
        'Install Chrome, or set CHROME_PATH to its program.',
      );
};
