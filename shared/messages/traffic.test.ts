import { expect, it } from 'vitest';
import { JsonText } from '../kit/json-text.ts';
import { type Channel, channels, type Status, statuses } from './message.ts';
import { statusesBefore } from './moves.ts';
import { trafficJob, trafficMessage } from './traffic.ts';

const job = {
  account: '019a9c1e-5b7a-7c31-9f04-2d6f0c1e8a55',
  id: '01932f6e-8c00-7000-8000-000000000002',
  origin: 'campaign',
  channel: 'sms',
  status: 'sent',
};

it('takes a job with what is known, in any offset', () => {
  expect(trafficMessage(trafficJob.parse({ ...job, sentAt: '2026-11-20T18:00:00+06:00', failureCode: 'c' }))).toEqual({
    id: job.id,
    channel: 'sms',
    status: 'sent',
    to: null,
    tags: [],
    metadata: new JsonText('{}'),
    createdAt: '2024-11-15T10:46:34.240Z',
    sentAt: '2026-11-20T12:00:00.000Z',
    deliveredAt: null,
    failedAt: null,
    failureReason: null,
    failureCode: 'c',
    price: { counter: 'email', credits: 0 },
  });
});

it.each([
  { id: '7f0c1d9e-1111-4222-8333-444455556666' },
  { origin: 'api' },
  { channel: 'fax' },
  { status: 'lost' },
  { sentAt: 'yesterday' },
  { account: undefined },
])('refuses %o', (wrong) => {
  expect(trafficJob.safeParse({ ...job, ...wrong }).success).toBe(false);
});

it('knows what may have been before a status, and nothing comes before itself', () => {
  const before = (channel: Channel, status: Status) => [...statusesBefore(channel, status)].sort();
  expect(before('sms', 'queued')).toEqual([]);
  expect(before('sms', 'sent')).toEqual(['queued', 'sending']);
  expect(before('email', 'clicked')).toEqual(['delivered', 'opened', 'queued', 'sending', 'sent']);
  expect(before('email', 'failed')).toEqual(['delivered', 'queued', 'sending', 'sent']);
  expect(before('sms', 'failed')).toEqual(['queued', 'sending', 'sent']);
  for (const channel of channels)
    for (const status of statuses) expect(statusesBefore(channel, status)).not.toContain(status);
});
