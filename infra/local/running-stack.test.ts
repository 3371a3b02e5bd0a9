import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from './emulators-fixture.ts';
import { factsOfRunningStack, findRunningStack, writeStackFile } from './running-stack.ts';
import { StartFailure } from './start-failure.ts';

const facts = {
  apiBaseUrl: 'http://localhost:3000/api/v1',
  checkoutBaseUrl: 'http://localhost:3000',
  adminBaseUrl: 'http://localhost:3000/admin/v1',
  inboxUrl: 'http://localhost:8005',
  adminToken: 'ot_1',
  accountId: '1',
  keys: { messaging: 'mk_1', checkoutSecretTest: 'sk_test_1' },
  aws: {},
};

describe('the running stack', () => {
  it('is read from its file while its process lives', async () => {
    const directory = await temporaryDirectory();
    writeStackFile(directory, { pid: process.pid, ...facts });
    expect(findRunningStack(directory)).toMatchObject({ pid: process.pid, ...facts });
    expect(readdirSync(directory)).toEqual(['stack.json']);
  });

  it('is none when it was killed and left its file, or never ran', async () => {
    const directory = await temporaryDirectory();
    const none = `No stack is running with ${directory}. Start one with npm start, or name the directory of another: --data-dir <path>`;
    expect(() => findRunningStack(directory)).toThrow(none);
    writeStackFile(directory, { pid: spawnSync(process.execPath, ['--version']).pid, ...facts });
    expect(() => findRunningStack(directory)).toThrow(none);
    expect(() => factsOfRunningStack(directory)).toThrow(none);
  });

  it.each([
    ['cut off', '{"pid": 1'],
    ['not of a stack', '[]'],
    ['without what a command needs', `{"pid": ${process.pid}}`],
  ])('has a file that is %s, so a line says that a restart writes it again', async (_, text) => {
    const directory = await temporaryDirectory();
    writeFileSync(join(directory, 'stack.json'), text);
    expect(() => findRunningStack(directory)).toThrow(
      new StartFailure(`${join(directory, 'stack.json')} cannot be read. Restart the stack: npm start`),
    );
  });
});
