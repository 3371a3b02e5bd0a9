import { expect, it, vi } from 'vitest';
import { linesOf } from '../../test/log-lines.ts';
import { assertInTime } from '../kit/time-limit.ts';
import { goRound, type RoundJob } from './round.ts';

/** A round over so many accounts, each of which takes so long. Returns the accounts of each of its jobs. */
const roundOver = async (count: number, visitMs: number): Promise<number[]> => {
  const all = Array.from({ length: count }, (_, n) => ({ id: `account ${String(n).padStart(3, '0')}` }));
  const jobs: RoundJob[] = [{}];
  const visits: number[] = [];
  let nowMs = 0;
  for (const job of jobs) {
    let visited = 0;
    await goRound(
      {
        page: async (after = '', limit) => all.filter(({ id }) => id > after).slice(0, limit),
        visit: async () => {
          visited += 1;
          nowMs += visitMs;
        },
        queueNext: async (next) => void jobs.push(next),
      },
      job,
      { clock: () => nowMs },
    );
    visits.push(visited);
  }
  return visits;
};

it('visits every account once, some in each job', async () => {
  expect(await roundOver(0, 10)).toEqual([0]);
  expect(await roundOver(24, 10)).toEqual([24]);
  expect(await roundOver(60, 10)).toEqual([25, 25, 10]);
});

it('leaves the accounts behind slow ones to further jobs, because a job that is cut off would begin again with the same', async () => {
  expect(await roundOver(3, 20_000)).toEqual([1, 1, 1]);
  expect(await roundOver(7, 1_000)).toEqual([3, 3, 1]);
});

it('goes on behind an account that does not end, which calls no other service any more', async () => {
  const visited: string[] = [];
  const [roundEnd, visitEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const goOnLater = async (): Promise<void> => {
    await roundEnd.promise;
    await vi.waitFor(() => expect(assertInTime).toThrow('over')).then(visitEnd.resolve, visitEnd.reject);
  };
  const visit = async ({ id }: { readonly id: string }): Promise<void> => {
    visited.push(id);
    if (id === 'slow') await goOnLater();
  };
  const page = async () => ['slow', 'quick'].map((id) => ({ id }));
  const lines = await linesOf(() => goRound({ page, visit, queueNext: async () => {} }, {}, { visitMs: 20 }));
  expect(visited).toEqual(['slow', 'quick']);
  expect(lines).toMatchObject([{ level: 'error', message: 'an account was left out of a round', accountId: 'slow' }]);
  roundEnd.resolve();
  await visitEnd.promise;
});
