import * as z from 'zod';
import { channels, statuses, textChannels } from './message.ts';

/** Jobs about messages: ids, channel, status, price and times only, never bodies. A job of an older release has no channel. */
const ids = z.object({ account: z.string(), message: z.string(), channel: z.enum(channels).optional() });

/** A message whose send has begun, and may have been interrupted: `end-interrupted-send` ends it unless it has been sent by then. */
const interruptedJob = ids.extend({
  /** Of an email: the run that began the send. A later run is watched by a job of its own. */
  run: z.string().optional(),
});

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
 * A text to send, as the outbox queues it; `send-text` queues it again with what its run learnt. The job of an hourly round (`find-stranded`) has the
 * ids and its two flags only.
 */
export const textJob = ids.extend({
  kind: z.literal('text').default('text'),
  channel: z.enum(textChannels),
  /** When the text is not to be sent any more, where the sender of the job knows it. */
  expiresMs: z.int().optional(),
  /** What the text cost. An sms costs a credit for each of its segments, which senders count. */
  price: z.object({ credits: z.int() }).optional(),
  /** When its provider accepted it, if that run could not write it to the table. The next run, or `end-interrupted-send`, writes it. */
  acceptedMs: z.int().optional(),
  /** A claim under which the provider accepted nothing, if that run could not release it. The next run, or `end-interrupted-send`, does. */
  unusedClaim: z.string().optional(),
  /** Its reserved turn at a sender with a rate; until then, it is queued again. */
  turnMs: z.int().optional(),
  /** The rate at which the turn was reserved: after a change of the rate, the job takes another turn. */
  turnsPerSecond: z.int().optional(),
  /** An hourly round queued it in case the first job was lost, which usually still waits. */
  isSpare: z.boolean().optional(),
  /** Of a spare job: the first one may have left its queue before the next round, so this one comes again where others end. */
  isOld: z.boolean().optional(),
  /** The sum of the delays since its sender, which is over its rate or hangs, first did not take it. A pause of all sending does not count. */
  waitedMs: z.int().optional(),
  /** How many of its runs in a row failed because of the table. */
  tableFailures: z.int().optional(),
});

export type TextJob = z.output<typeof textJob>;

/** A body, which is stored before its message's row: deleted unless the row refers to it, because the send was interrupted between the two. */
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
