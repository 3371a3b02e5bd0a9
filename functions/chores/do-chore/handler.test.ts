import { expect, it } from 'vitest';
import { queues } from '../../../infra/queues.ts';
import { choreJob } from '../../../shared/chores/jobs.ts';

it('each schedule of the chores’ queue begins a round', () => {
  const begun = Object.values(queues.chores.every).map((job) => choreJob.parse(job));
  expect(begun).toEqual([
    { kind: 'find-stranded', round: {} },
    { kind: 'sync-templates', round: {} },
  ]);
});

it('a part of a round carries where it goes on', () => {
  const part = { roundMs: 1, place: { account: 'a', channel: 'sms', status: 'queued' }, after: 'm' };
  expect(choreJob.parse({ kind: 'find-stranded', round: part })).toEqual({ kind: 'find-stranded', round: part });
});
