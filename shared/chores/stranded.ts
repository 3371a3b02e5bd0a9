import * as z from 'zod';
import { roundJob } from '../accounts/round.ts';
import { textChannels } from '../messages/message.ts';

/** An account's messages that wait for a worker, by index key. */
const messagePartition = z.union([
  z.object({ account: z.string(), channel: z.literal('email'), status: z.literal('sending') }),
  z.object({
    account: z.string(),
    channel: z.enum(textChannels),
    status: z.enum(['queued', 'sending']),
  }),
]);

/** The number of index partitions for the open rows of all accounts; many, to spread the load. */
export const openShards = 32;

/** Open deliveries of all accounts in one of these partitions. */
const deliveryPartition = z.object({ entity: z.literal('delivery'), shard: z.int().min(0) });

/** An account's texts that were sent, of which some may have no report. */
const unreportedPartition = z.object({
  account: z.string(),
  channel: z.enum(textChannels),
  awaits: z.literal('report'),
});

export type UnreportedPartition = z.output<typeof unreportedPartition>;
export type MessagePartition = z.output<typeof messagePartition>;
export type DeliveryPartition = z.output<typeof deliveryPartition>;
export type OverduePartition = MessagePartition | DeliveryPartition;
export type StrandedPartition = OverduePartition | UnreportedPartition;

/** Partitions with work whose job may have been lost. */
export const messagePartitionsOf = (account: string): MessagePartition[] => [
  { account, channel: 'email', status: 'sending' },
  { account, channel: 'sms', status: 'queued' },
  { account, channel: 'sms', status: 'sending' },
  { account, channel: 'whatsapp', status: 'queued' },
  { account, channel: 'whatsapp', status: 'sending' },
];

/** Where texts without a report lie. */
export const unreportedPartitionsOf = (account: string): UnreportedPartition[] => [
  { account, channel: 'sms', awaits: 'report' },
  { account, channel: 'whatsapp', awaits: 'report' },
];

/** One part of an hourly round: accounts, or the next page of a partition. `{}` begins a round with the first pages of deliveries. */
export const strandedJob = z.union([
  z.object({
    /** When the round began: what is overdue is judged as of then, by every job of the round. */
    roundMs: z.int(),
    place: z.union([messagePartition, deliveryPartition, unreportedPartition]),
    /** Where the page before ended in the partition. */
    after: z.string(),
  }),
  roundJob.extend({ roundMs: z.int().optional() }),
]);

export type StrandedJob = z.output<typeof strandedJob>;
