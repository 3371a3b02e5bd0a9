import * as z from 'zod';
import { timeOfId } from '../../../shared/kit/id.ts';
import { log } from '../../../shared/kit/log.ts';
import { metered } from '../../../shared/kit/metrics.ts';
import { channels, statuses } from '../../../shared/messages/message.ts';
import type { Change } from '../../../shared/work/stream-reader.ts';

const state = z.object({
  SK: z.string(),
  origin: z.string().optional(),
  channel: z.enum(channels),
  status: z.enum(statuses),
  scheduledAt: z.string().optional(),
  sentAt: z.string().optional(),
  deliveredAt: z.string().optional(),
});
type State = z.output<typeof state>;

interface Move {
  readonly before: State | undefined;
  readonly after: State;
}

const isFailed = (one: State | undefined): boolean =>
  one !== undefined && ['failed', 'rejected', 'bounced'].includes(one.status);

const isSent = ({ before, after }: Move): boolean => before?.sentAt === undefined && after.sentAt !== undefined;

const sendLagOf = ({ SK, scheduledAt, sentAt = '' }: State): number =>
  Math.max(0, Date.parse(sentAt) - (scheduledAt === undefined ? timeOfId(SK) : Date.parse(scheduledAt)));

/**
 * One line for each channel of a batch, for CloudWatch's metrics: here, because every change of a message passes here, many at a time. A batch
 * that Lambda repeats is counted again.
 */
export const meterChanges = (changes: readonly Change[]): void => {
  const moves = changes.flatMap(({ before, after }): Move[] => {
    const current = state.safeParse(after).data;
    return current?.origin === 'api' ? [{ before: state.optional().safeParse(before).data, after: current }] : [];
  });
  for (const [channel, some] of Map.groupBy(moves, ({ after }) => after.channel)) {
    const count = (happened: (move: Move) => boolean): number => some.filter(happened).length;
    const counts = {
      accepted: count(({ before }) => before === undefined),
      sent: count(isSent),
      delivered: count(({ before, after }) => before?.deliveredAt === undefined && after.deliveredAt !== undefined),
      failed: count(({ before, after }) => isFailed(after) && !isFailed(before)),
    };
    const happened = Object.entries(counts).filter(([, number]) => number > 0);
    if (happened.length === 0) continue;
    const sendLag = some.filter(isSent).map(({ after }) => sendLagOf(after));
    log('info', 'messages counted', { channel, ...metered({ ...Object.fromEntries(happened), sendLag }, channel) });
  }
};
