import * as z from 'zod';
import { channels, statuses, textChannels } from './message.ts';

/** Jobs about messages: ids, channel, status, price and times only, never bodies. A job of an older release has no channel. */
const ids = z.object({ account: z.string(), message: z.string(), channel: z.enum(channels).optional() });

/** A message whose send has begun, and may have been interrupted. `run`: the one that began it, of an email; a later one is watched by a job of its own. */
const interruptedJob = ids.extend({ run: z.string().optional() });

export type InterruptedJob = z.output<typeof interruptedJob>;

/** Work on scheduled messages. */
export const scheduledJob = z.discriminatedUnion('kind', [
  /** Queue the messages that are due soon: of all shards, each minute, or of one. */
  z.object({ kind: z.literal('sweep'), shard: z.int().min(0).optional() }),
  /** Send a message whose time has come. */
  ids.extend({ kind: z.literal('send'), channel: z.enum(channels) }),
]);

export type ScheduledJob = z.output<typeof scheduledJob>;
export type ScheduledJobOf<Kind extends ScheduledJob['kind']> = Extract<ScheduledJob, { readonly kind: Kind }>;

/**
 * A text to send. It also carries results that a run could not write to the table: `acceptedMs`, when its provider accepted it; `unusedClaim`,
 * the claim under which the provider accepted nothing. `turnMs`: its reserved time at a sender that took `turnsPerSecond`. `isSpare`: a round queued it
 * in case the first job was lost, which usually still waits; `isOld`: the first one may be gone before the next round. `waitedMs`: the sum of the delays
 * of its jobs since its sender, which is over its rate or hangs, first did not take it; so a pause of all sending does not count. `tableFailures`: the number of consecutive failures of the table.
 */
export const textJob = ids.extend({
  kind: z.literal('text').default('text'),
  channel: z.enum(textChannels),
  /** When the text is not to be sent any more, where the sender of the job knows it. */
  expiresMs: z.int().optional(),
  /** An sms has a credit for each of its segments, which senders count. */
  price: z.object({ credits: z.int() }).optional(),
  acceptedMs: z.int().optional(),
  unusedClaim: z.string().optional(),
  turnMs: z.int().optional(),
  turnsPerSecond: z.int().optional(),
  isSpare: z.boolean().optional(),
  isOld: z.boolean().optional(),
  waitedMs: z.int().optional(),
  tableFailures: z.int().optional(),
});

export type TextJob = z.output<typeof textJob>;

/** What was stored beside a message's row before the row: nobody's, if the send was interrupted between the two. */
const bodyJob = ids.extend({ kind: z.literal('body'), channel: z.enum(channels), body: z.string() });

/**
 * A message to end: a text whose job SQS moved here after its last try, or one whose send may have been interrupted; or what lies beside a
 * message.
 */
export const endJob = z.union([textJob.extend({ kind: z.literal('text') }), bodyJob, interruptedJob]);

export type EndJob = z.output<typeof endJob>;

const instant = z.string().nullable().default(null);
const state = z.object({ status: z.enum(statuses), sentAt: instant, deliveredAt: instant, failedAt: instant });

/** A change of a message that is an event: what the message was after it, and before. */
export const messageEventJob = ids.extend({
  ...state.shape,
  channel: z.enum(channels),
  failureCode: z.string().nullable().default(null),
  before: state.optional(),
  /** When it changed, to the second. */
  atMs: z.int(),
});

export type MessageEventJob = z.output<typeof messageEventJob>;
