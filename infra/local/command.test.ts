import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { Unavailable } from '../../shared/kit/fault.ts';
import { calledCommand } from '../../test/called-command.ts';
import { commandOf } from './command.ts';
import { runApart } from './emulators-fixture.ts';

const failing = (thrown: Error) => {
  const command = commandOf({ help: 'npm run fail', options: {}, run: () => Promise.reject(thrown) });
  return calledCommand(command, []);
};

const named = (name: string, message: string) => Object.assign(new Error(message), { name });

/** The text of an import of a file of this folder. */
const at = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);

describe('a command', () => {
  it.each([
    [
      new Unavailable('an AWS service is unavailable', { cause: named('TimeoutError', 'the answer\n takes too long') }),
      'an AWS service is unavailable (TimeoutError: the answer takes too long). Run the command again; the stack of this machine may have to be started: npm start',
    ],
    [
      named('CredentialsProviderError', 'The SSO session has expired.'),
      'AWS cannot be called: The SSO session has expired. Set AWS_REGION, and AWS_PROFILE or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    ],
  ])('says in one line why AWS could not be asked: %s', async (thrown, line) => {
    expect(await failing(thrown)).toEqual({ status: 1, stdout: '', stderr: `${line}\n` });
  });

  it('says in one line what the file system refused', async () => {
    const { filename } = import.meta;
    const run = async () => readFileSync(join(filename, 'inside')).length;
    expect(await calledCommand(commandOf({ help: 'npm run fail', options: {}, run }), [])).toEqual({
      status: 1,
      stdout: '',
      stderr: `A file cannot be read or written: ENOTDIR: not a directory, open '${filename}/inside'.\n`,
    });
  });

  it('shows a bug with its stack', async () => {
    await expect(failing(new TypeError('a bug'))).rejects.toThrow('a bug');
  });

  it('prints its own lines only, and not what the code of functions logs', async () => {
    const { line } = await runApart(`
      process.env.LOG_LEVEL = 'debug';
      const { commandOf, runCommand } = await import(${at('command.ts')});
      const { log } = await import(${at('../../shared/kit/log.ts')});
      const run = async ({ print }) => {
        log('error', 'a call of AWS was made again');
        print('done', {});
        return 0;
      };
      await runCommand(commandOf({ help: 'npm run log', options: {}, run }));
    `);
    expect(line).toBe('done');
  });

  it('ends only when a reader has all that it prints, which is more than a pipe takes at once', async () => {
    const program = `
      const { commandOf, runCommand } = await import(${at('command.ts')});
      const run = async ({ print }) => {
        print('x'.repeat(1_000_000), {});
        return 0;
      };
      await runCommand(commandOf({ help: 'npm run print', options: {}, run }));
    `;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
    expect(stdout.length).toBe(1_000_001);
  });
});
