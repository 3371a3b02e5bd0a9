import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jobsFor } from '../../test/outbox-calls.ts';
import { messageEventJob } from '../messages/jobs.ts';
import { channels, statuses } from '../messages/message.ts';
import { eventsBetween, type MessageState } from './events.ts';

const fresh: MessageState = { channel: 'email', status: 'sending', sentAt: null, deliveredAt: null, failedAt: null };
const sent: MessageState = { ...fresh, status: 'sent', sentAt: 't1' };
const delivered: MessageState = { ...sent, status: 'delivered', deliveredAt: 't2' };
const failed: MessageState = { ...sent, status: 'failed', failedAt: 't2' };

describe('the events of a change', () => {
  it.each<[string, MessageState | undefined, MessageState, string[]]>([
    ['sending → sent', fresh, sent, ['message.sent']],
    ['sent → delivered', sent, delivered, ['message.delivered']],
    ['sending → delivered', fresh, delivered, ['message.sent', 'message.delivered']],
    ['sending → opened', fresh, { ...delivered, status: 'opened' }, ['message.sent', 'message.delivered']],
    ['sent → clicked', sent, { ...delivered, status: 'clicked' }, ['message.delivered']],
    ['delivered → opened', delivered, { ...delivered, status: 'opened' }, []],
    ['delivered → read', delivered, { ...delivered, status: 'read' }, []],
    ['delivered → complained', delivered, { ...delivered, status: 'complained' }, []],
    ['sent → unsubscribed', sent, { ...delivered, status: 'unsubscribed' }, ['message.delivered']],
    [
      'queued → failed',
      { ...fresh, status: 'queued' },
      { ...fresh, status: 'failed', failedAt: 't' },
      ['message.failed'],
    ],
    ['sent → failed', sent, failed, ['message.failed']],
    ['sent → rejected', sent, { ...failed, status: 'rejected' }, ['message.failed']],
    ['sent → bounced', sent, { ...sent, status: 'bounced' }, ['message.bounced']],
    ['sending → bounced', fresh, { ...sent, status: 'bounced' }, ['message.sent', 'message.bounced']],
    ['delivered → bounced', delivered, { ...delivered, status: 'bounced' }, ['message.bounced']],
    ['an sms that bounces', { ...sent, channel: 'sms' }, { ...sent, channel: 'sms', status: 'bounced' }, []],
    ['accepted', undefined, fresh, []],
    ['written again as it was', sent, sent, []],
    ['there at once as sent', undefined, sent, ['message.sent']],
  ])('%s', (_, before, after, events) => expect(eventsBetween(before, after)).toEqual(events));
});

const stateOf = fc.record({
  channel: fc.constantFrom(...channels),
  status: fc.constantFrom(...statuses),
  sentAt: fc.constantFrom(null, 't1'),
  deliveredAt: fc.constantFrom(null, 't2'),
  failedAt: fc.constantFrom(null, 't3'),
});

/** Absent attributes are not in an item. */
const itemOf = (state: MessageState) => ({
  ...Object.fromEntries(Object.entries(state).filter(([, value]) => value !== null)),
  entity: 'message',
  origin: 'api',
  account: 'a',
  SK: 'm',
});

it('the outbox queues a change of a message exactly when it makes an event, with what its worker needs to find the event', async () => {
  await fc.assert(
    fc.asyncProperty(fc.option(stateOf, { nil: undefined }), stateOf, async (earlier, after) => {
      const before = earlier && { ...earlier, channel: after.channel };
      const change = { before: before && itemOf(before), after: itemOf(after), sequence: '1', atMs: 7 };
      const jobs = await jobsFor('message-events', messageEventJob, [change]);
      const events = eventsBetween(before, after);
      expect(jobs).toHaveLength(events.length > 0 ? 1 : 0);
      for (const job of jobs) {
        const ids = { account: 'a', message: 'm', failureCode: null, atMs: 7 };
        expect(job).toEqual({ ...after, ...ids, before: before && omitChannel(before) });
        expect(eventsBetween(job.before && { ...job.before, channel: job.channel }, job)).toEqual(events);
      }
    }),
    { numRuns: 200 },
  );
});

const omitChannel = ({ channel: _, ...state }: MessageState) => state;
