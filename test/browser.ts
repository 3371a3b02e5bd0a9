import { execFile } from 'node:child_process';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createBrotliDecompress } from 'node:zlib';
import type axe from 'axe-core';
import { type Browser, chromium, type LaunchOptions, type Page } from 'playwright-core';

const packed = join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '..', 'bin');

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** The npm package contains Chromium for this system only; on others the machine must have a browser. */
const hasPackage = process.platform === 'linux' && process.arch === 'x64';

/**
 * A real Chromium: `CHROME_PATH`, the npm package's or, where that cannot run, the machine's. Undefined, with one printed line, where there
 * is none and the package has none for the system.
 */
export const startBrowser = async (): Promise<Browser | undefined> => {
  const causes: unknown[] = [];
  const { CHROME_PATH } = process.env;
  const chosen = CHROME_PATH ? [async (): Promise<LaunchOptions> => ({ executablePath: CHROME_PATH })] : [];
  for (const candidate of [...chosen, ...(hasPackage ? [unpacked] : []), installedChrome, installedChromium]) {
    try {
      return await chromium.launch({ args: flags, ...(await candidate()) });
    } catch (thrown) {
      causes.push(thrown);
    }
  }
  const remedy = 'No Chromium starts here. Install Chrome or Chromium, or set CHROME_PATH to its program.';
  if (hasPackage) throw new Error(remedy, { cause: causes[0] });
  console.warn(`${remedy} The tests that need a browser are skipped.`);
  return undefined;
};

const axeFile = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'));

/** Loads axe into the page's document. The browser compiles it once for all documents when devtools evaluate it, and anew where a page does. */
const loadAxe = async (page: Page): Promise<void> => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Runtime.evaluate', { expression: readFileSync(axeFile, 'utf8') });
  await devtools.detach();
};

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The rows of a list after its first ones, which are drawn alike. */
const moreRows = 'tbody tr:nth-child(n + 6)';

/**
 * The violations that axe finds in what this selects, in short; rules about the page as a whole are checked where that is all of it. Another
 * colour scheme changes nothing but contrasts.
 */
export const violationsOn = async (
  page: Page,
  looked: 'all' | 'contrasts' = 'all',
  selector = 'html',
): Promise<string[]> => {
  if (!(await page.evaluate('typeof axe === "object"'))) await loadAxe(page);
  const runOnly =
    looked === 'all' ? { type: 'tag' as const, values: rules } : { type: 'rule' as const, values: ['color-contrast'] };
  // What axe passed is large, and stays in the page.
  const asked = [{ include: selector, exclude: moreRows }, runOnly] as const;
  return await page.evaluate(async ([where, wanted]) => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(where, {
      runOnly: wanted,
      resultTypes: ['violations'],
      selectors: false,
      preload: false,
    });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }, asked);
};

const installedChrome = async (): Promise<LaunchOptions> => ({ channel: 'chrome' });

const installedChromium = async (): Promise<LaunchOptions> => ({ executablePath: '/usr/bin/chromium' });

/** The package holds Chromium, fonts, and the libraries that a bare machine lacks. */
const unpacked = async (): Promise<LaunchOptions> => {
  const home = await unpackedHome();
  const libraries = [process.env['LD_LIBRARY_PATH'], join(home, 'al2023', 'lib')].filter(Boolean).join(':');
  return {
    executablePath: join(home, 'chromium'),
    env: { ...process.env, LD_LIBRARY_PATH: libraries, FONTCONFIG_PATH: join(home, 'fonts') },
  };
};

/** Where the package is unpacked. One process does it, in six seconds, while others wait for it. */
const unpackedHome = async (): Promise<string> => {
  const home = resolve('node_modules/.cache', `chromium-${statSync(join(packed, 'chromium.br')).size}`);
  mkdirSync(dirname(home), { recursive: true });
  using lock = new DatabaseSync(`${home}.lock`, { timeout: 60_000 });
  lock.exec('BEGIN EXCLUSIVE');
  if (existsSync(home)) return home;
  const begun = mkdtempSync(`${home}-`);
  await Promise.all([
    pipeline(plain('chromium.br'), createWriteStream(join(begun, 'chromium'), { mode: 0o700 })),
    ...['al2023', 'fonts'].map((name) => extract(`${name}.tar.br`, join(begun, name))),
  ]);
  writeFileSync(join(begun, 'fonts', 'fonts.conf'), fontSettings(join(home, 'fonts')));
  renameSync(begun, home);
  return home;
};

const fontSettings = (directory: string): string =>
  `<fontconfig><dir>/usr/share/fonts</dir><dir>${directory}</dir><cachedir>${directory}/cache</cachedir></fontconfig>`;

const plain = (name: string) => createReadStream(join(packed, name)).pipe(createBrotliDecompress());

const extract = async (name: string, directory: string): Promise<void> => {
  mkdirSync(directory);
  await pipeline(plain(name), createWriteStream(`${directory}.tar`));
  await promisify(execFile)('tar', ['-xf', `${directory}.tar`, '-C', directory]);
};
