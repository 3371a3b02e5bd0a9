import fc from 'fast-check';
import { expect, it } from 'vitest';
import { channels, type Status, statuses } from '../messages/message.ts';
import { addUp, countName } from './counts.ts';
import { channelsOf } from './message-analytics.ts';

const buckets = ['sent', 'delivered', 'opened', 'clicked', 'bounced', 'failed'] as const;

it('message analytics count a message in the total and in the bucket of its status, rejected ones as failed', () => {
  const bucketOf = (status: Status) => {
    const { total, ...rest } = channelsOf(addUp([[countName('sms', status), 1]])).sms;
    expect(total).toBe(1);
    return Object.entries(rest).flatMap(([bucket, number]) => (number > 0 ? [bucket] : []));
  };
  expect(Object.fromEntries(statuses.map((status) => [status, bucketOf(status)]))).toEqual({
    queued: [],
    sending: [],
    sent: ['sent'],
    delivered: ['delivered'],
    opened: ['opened'],
    clicked: ['clicked'],
    bounced: ['bounced'],
    failed: ['failed'],
    read: [],
    rejected: ['failed'],
    unsubscribed: [],
    complained: [],
  });
});

it('message analytics count channels separately, and each message in one bucket', () => {
  const part = fc.tuple(fc.constantFrom(...channels), fc.constantFrom(...statuses));
  fc.assert(
    fc.property(fc.array(part, { maxLength: 50 }), (parts) => {
      const counted = channelsOf(addUp(parts.map(([channel, status]) => [countName(channel, status), 1])));
      for (const channel of channels) {
        const { total, ...rest } = counted[channel];
        expect(total).toBe(parts.filter(([one]) => one === channel).length);
        expect(buckets.reduce((sum, bucket) => sum + rest[bucket], 0)).toBeLessThanOrEqual(total);
      }
    }),
  );
});
