import { expect, it } from 'vitest';
import { Unavailable } from '../../shared/kit/fault.ts';
import { commandOf } from './command.ts';

it('a service that is too busy for a command, or does not answer it, is reported in one line that says what to do', async () => {
  const errors: string[] = [];
  const command = commandOf({
    help: 'npm run spread',
    options: {},
    run: async () => {
      throw new Unavailable('an AWS service is unavailable', { cause: new Error('Rate exceeded') });
    },
  });
  expect(await command([], { line: () => expect.fail(), error: (text) => errors.push(text) })).toBe(1);
  expect(errors).toEqual([expect.stringMatching(/^A service does not answer \(Rate exceeded\)\. Run this again; .+$/)]);
});
