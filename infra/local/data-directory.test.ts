import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { assemblyFolder, complainOfFullDisk, orUnusable, takeDataDirectory } from './data-directory.ts';
import { temporaryDirectory } from './emulators-fixture.ts';

/** A file system without a free byte. */
const full = '/proc';

it.runIf(existsSync(full))('a start that failed on a full disk says so, whatever failed', () => {
  expect(orUnusable(new Error('disk I/O error'), full)).toMatchObject({
    name: 'StartFailure',
    message: expect.stringContaining('The disk of /proc is full.'),
  });
});

it.runIf(existsSync(full))('where requests fail on a full disk, the terminal says so', () => {
  const printed = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => printed.mockRestore());
  complainOfFullDisk(full, { status: 404 });
  complainOfFullDisk(tmpdir(), { status: 503 });
  complainOfFullDisk(join(tmpdir(), 'not', 'made'), { status: 503 });
  expect(printed).not.toHaveBeenCalled();
  complainOfFullDisk(full, { status: 503 });
  complainOfFullDisk(full, { status: 500 });
  expect(printed.mock.calls).toEqual([[expect.stringContaining('The disk of /proc is full.')]]);
});

it('a start that meets files of another user says which, in one line', () => {
  const refused = (path: string) =>
    Object.assign(new Error(`EACCES: permission denied, rm '${path}'`), { code: 'EACCES', path });
  expect(orUnusable(refused(join(tmpdir(), 'cdk.out')), tmpdir())).toMatchObject({
    name: 'StartFailure',
    message: `${join(tmpdir(), 'cdk.out')} cannot be read or changed by this user. Choose another place: npm start -- --data-dir <path>`,
  });
  for (const path of ['/elsewhere', `${tmpdir()}2/cdk.out`]) {
    const elsewhere = refused(path);
    expect(orUnusable(elsewhere, tmpdir())).toBe(elsewhere);
  }
});

it('another start that failed reports its own reason', () => {
  const thrown = new Error('x');
  expect(orUnusable(thrown, tmpdir())).toBe(thrown);
  expect(orUnusable(thrown, join(tmpdir(), 'not', 'made'))).toBe(thrown);
});

it.runIf(existsSync(full))('a data directory that cannot be made fails the start in one line', () => {
  const directory = join(full, 'x', 'data');
  expect(() => takeDataDirectory(directory, { isFresh: false })).toThrow(
    `The data directory ${directory} cannot be created or read: ENOENT`,
  );
});

it('a data directory that is a file, holds other files or is in use fails the start in one line', async () => {
  const directory = await temporaryDirectory();
  const file = join(directory, 'thesis.txt');
  writeFileSync(file, '');
  const takes = (path: string) => () => takeDataDirectory(path, { isFresh: false });
  expect(takes(file)).toThrow(`The data directory ${file} cannot be created or read: ENOTDIR`);
  expect(takes(directory)).toThrow(`${directory} holds other files.`);
  const used = join(directory, 'used');
  const { release } = takes(used)();
  expect(takes(used)).toThrow(`Another stack is running with ${used}.`);
  release();
  takes(used)().release();
});

it('a fresh start deletes all but the lock and the assembly, which is made of the sources, and nothing of a directory that is not ours', async () => {
  const directory = await temporaryDirectory();
  writeFileSync(join(directory, 'thesis.txt'), '');
  expect(() => takeDataDirectory(directory, { isFresh: true })).toThrow(`${directory} holds other files.`);
  expect(readdirSync(directory)).toEqual(['thesis.txt']);
  const ours = join(directory, 'ours');
  takeDataDirectory(ours, { isFresh: false }).release();
  const lock = readdirSync(ours);
  for (const folder of [assemblyFolder, 's3']) mkdirSync(join(ours, folder));
  for (const file of [join(assemblyFolder, 'manifest.json'), join('s3', 'object'), 'demo-account.json', 'dynamodb.db'])
    writeFileSync(join(ours, file), '');
  takeDataDirectory(ours, { isFresh: true }).release();
  expect(readdirSync(ours).sort()).toEqual([assemblyFolder, ...lock].sort());
  expect(readdirSync(join(ours, assemblyFolder))).toEqual(['manifest.json']);
});

it('a data directory is made with the folders above it', async () => {
  const directory = join(await temporaryDirectory(), 'a', 'b');
  takeDataDirectory(directory, { isFresh: false }).release();
  expect(existsSync(directory)).toBe(true);
});

it.skipIf(process.getuid?.() === 0)('a data directory that may not be read fails the start in one line', async () => {
  const directory = await temporaryDirectory();
  chmodSync(directory, 0o300);
  expect(() => takeDataDirectory(directory, { isFresh: false })).toThrow(
    `The data directory ${directory} cannot be created or read: EACCES`,
  );
  chmodSync(directory, 0o700);
});
