import * as z from 'zod';
import { roundJob } from './round.ts';
import { strandedJob } from './stranded.ts';
import { transferJob } from './transfer.ts';

/** Rare work in the background, of which no caller waits for any. A schedule begins the rounds, without a `round`. */
export const choreJob = z.discriminatedUnion('kind', [
  /** Queue lost work again: one part of an hourly round. */
  z.object({ kind: z.literal('find-stranded'), round: strandedJob.default({}) }),
  /** Copy the templates of accounts at Meta: one part of a daily round. */
  z.object({ kind: z.literal('sync-templates'), round: roundJob.default({}) }),
  /** Delete the log of a deleted subscription. */
  z.object({ kind: z.literal('delete-log'), account: z.string(), webhook: z.string() }),
  /** Deliver a part of a period's events again. */
  z.object({
    kind: z.literal('replay'),
    account: z.string(),
    webhook: z.string(),
    sinceMs: z.number(),
    untilMs: z.number(),
    names: z.array(z.string()),
    onlyFailed: z.boolean(),
    after: z.object({ page: z.string(), position: z.int() }).optional(),
    afterDelivery: z.string().optional(),
  }),
  /** One run of an import or export. */
  transferJob.extend({ kind: z.literal('transfer') }),
]);

export type ChoreJob = z.output<typeof choreJob>;
