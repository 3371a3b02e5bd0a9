import * as z from 'zod';
import { roundJob } from '../accounts/round.ts';
import { transferJob } from '../transfers/jobs.ts';
import { deletionJob } from '../webhooks/jobs.ts';
import { replayJob } from '../webhooks/replay-span.ts';
import { strandedJob } from './stranded.ts';

/** Rare work in the background, of which no caller waits for any. A schedule begins the rounds, without a `round`. */
export const choreJob = z.discriminatedUnion('kind', [
  /** Queue lost work again: one part of an hourly round. */
  z.object({ kind: z.literal('find-stranded'), round: strandedJob.default({}) }),
  /** Copy the templates of accounts at Meta: one part of a daily round. */
  z.object({ kind: z.literal('sync-templates'), round: roundJob.default({}) }),
  /** Delete the log of a deleted subscription. */
  deletionJob.extend({ kind: z.literal('delete-log') }),
  /** Deliver a part of a period's events again. */
  replayJob.extend({ kind: z.literal('replay') }),
  /** One run of an import or export. */
  transferJob.extend({ kind: z.literal('transfer') }),
]);

export type ChoreJob = z.output<typeof choreJob>;
