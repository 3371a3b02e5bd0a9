import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from './emulators-fixture.ts';
import { factsOfRunningStack, findRunningStack, writeStackFile } from './running-stack.ts';

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
    const none = `No stack is running with ${directory}. Start it first: npm start`;
    expect(() => findRunningStack(directory)).toThrow(none);
    writeStackFile(directory, { pid: spawnSync(process.execPath, ['--version']).pid, ...facts });
    expect(() => findRunningStack(directory)).toThrow(none);
    expect(() => factsOfRunningStack(directory)).toThrow(none);
  });
});
