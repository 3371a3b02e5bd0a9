import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { accountOfRequest } from './account-of-request.ts';
import { temporaryDirectory } from './emulators-fixture.ts';

it('The account of a request is in the line that its function has written, also after unfinished and foreign lines.', async () => {
  const directory = await temporaryDirectory();
  const file = join(directory, 'send.log');
  const line = (requestId: string, accountId: string) => `${JSON.stringify({ requestId, accountId })}\n`;
  writeFileSync(file, `printed "accountId"\n${line('r1', 'a1')}`);
  const accountOf = accountOfRequest(directory);
  expect(accountOf('send', 'r1')).toBe('a1');
  appendFileSync(file, '{"requestId":"r2",');
  expect(accountOf('send', 'r2')).toBeUndefined();
  appendFileSync(file, `"accountId":"a2"}\n${line('r3', 'a3')}`);
  expect(['r2', 'r3', 'r1'].map((id) => accountOf('send', id))).toEqual(['a2', 'a3', undefined]);
});

it('A request has no account when the logs were deleted.', async () => {
  const directory = await temporaryDirectory();
  const accountOf = accountOfRequest(directory);
  expect(accountOf('send', 'r1')).toBeUndefined();
  rmSync(directory, { recursive: true });
  expect(accountOf('send', 'r2')).toBeUndefined();
});
