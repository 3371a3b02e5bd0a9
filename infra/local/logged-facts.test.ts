import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from './emulators-fixture.ts';
import { openLoggedFacts } from './logged-facts.ts';

it('The account of a request is in the line that its function has written, also after unfinished and foreign lines.', async () => {
  const directory = await temporaryDirectory();
  const file = join(directory, 'send.log');
  const line = (requestId: string, accountId: string) => `${JSON.stringify({ requestId, accountId })}\n`;
  writeFileSync(file, `printed "accountId"\n${line('r1', 'a1')}`);
  const factsOf = openLoggedFacts(directory);
  expect(factsOf('send', 'r1')).toEqual({ accountId: 'a1' });
  appendFileSync(file, '{"requestId":"r2",');
  expect(factsOf('send', 'r2')).toBeUndefined();
  appendFileSync(file, `"accountId":"a2"}\n${line('r3', 'a3')}`);
  expect(['r2', 'r3', 'r1'].map((id) => factsOf('send', id)?.accountId)).toEqual(['a2', 'a3', undefined]);
});

it('What a request ignored, and why it was refused, is in the line, also where no key says whose account it is.', async () => {
  const directory = await temporaryDirectory();
  const lines = [
    { requestId: 'r1', accountId: 'a1', ignored: ['amount'] },
    { requestId: 'r2', ignored: ['scheduled_at'] },
    { requestId: 'r3', errorCode: 'unauthorized' },
  ];
  writeFileSync(join(directory, 'send.log'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const factsOf = openLoggedFacts(directory);
  expect(factsOf('send', 'r1')).toEqual({ accountId: 'a1', ignored: ['amount'] });
  expect(factsOf('send', 'r2')).toEqual({ ignored: ['scheduled_at'] });
  expect(factsOf('send', 'r3')).toEqual({ errorCode: 'unauthorized' });
});

it('Nothing is known of a request when the logs were deleted.', async () => {
  const directory = await temporaryDirectory();
  const factsOf = openLoggedFacts(directory);
  expect(factsOf('send', 'r1')).toBeUndefined();
  rmSync(directory, { recursive: true });
  expect(factsOf('send', 'r2')).toBeUndefined();
});
