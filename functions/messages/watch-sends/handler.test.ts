import { expect, it } from 'vitest';
import { watchSends } from './handler.ts';

it('watch-sends queues a later check for every email whose send begins', async () => {
  const noted: unknown[] = [];
  const interruptedSends = {
    send: async (jobs: readonly unknown[], options?: { readonly delaySeconds?: number }) => {
      noted.push(...jobs, options);
    },
  };
  await watchSends({ interruptedSends, giveUpSeconds: 60 })([
    { before: undefined, after: { account: 'a', SK: 'm1' }, sequence: '1', atMs: 0 },
    { before: undefined, after: { account: 'b', SK: 'm2' }, sequence: '2', atMs: 0 },
  ]);
  expect(noted).toEqual([{ account: 'a', message: 'm1' }, { account: 'b', message: 'm2' }, { delaySeconds: 60 }]);
});
