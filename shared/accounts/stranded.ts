import * as z from 'zod';
import { roundJob } from './round.ts';

/** Messages of an account that wait for a worker, by what they are found by. */
const messagePlace = z.union([
  z.object({ account: z.string(), channel: z.literal('email'), status: z.literal('sending') }),
  z.object({
    account: z.string(),
    channel: z.enum(['sms', 'whatsapp']),
    status: z.enum(['queued', 'sending']),
  }),
]);

export const openEntities = ['payment', 'refund', 'delivery'] as const;

/** Open rows of all accounts share these partitions of the index, so there are many. */
export const openShards = 32;

/** Rows that are open, of all accounts: one of the parts that they are spread over. */
const openPlace = z.object({ entity: z.enum(openEntities), shard: z.int().min(0) });

export type MessagePlace = z.output<typeof messagePlace>;
export type OpenPlace = z.output<typeof openPlace>;
export type Place = MessagePlace | OpenPlace;

/** What work lies in for which no job may be left. */
export const messagePlacesOf = (account: string): MessagePlace[] => [
  { account, channel: 'email', status: 'sending' },
  { account, channel: 'sms', status: 'queued' },
  { account, channel: 'sms', status: 'sending' },
  { account, channel: 'whatsapp', status: 'queued' },
  { account, channel: 'whatsapp', status: 'sending' },
];

/** One stretch of an hourly round: accounts, or the rest of a place that has more than one page. `{}` begins a round. */
export const strandedJob = z.union([
  z.object({ roundMs: z.int(), place: z.union([messagePlace, openPlace]), after: z.string() }),
  roundJob.extend({ roundMs: z.int().optional() }),
]);

export type StrandedJob = z.output<typeof strandedJob>;
