import { describe, expect, it } from 'vitest';
import { workers } from '../../infra/workers.ts';
import { statuses } from '../messages/message.ts';
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

it('has the reader of the stream woken by every status that can be an event, and by no other', () => {
  const [source] = workers.filter(({ does }) => does === 'webhooks/publish-events').flatMap(({ on }) => on);
  const pattern = source && 'stream' in source ? [source.stream].flat()[0]?.newImage : undefined;
  expect(pattern?.['origin']).toEqual(['api']);
  const quiet = new Set(['queued', 'sending']);
  expect([...(pattern?.['status'] ?? [])].sort()).toEqual(statuses.filter((status) => !quiet.has(status)).sort());
});
