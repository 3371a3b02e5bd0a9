import { expect, it, vi } from 'vitest';
import { newId } from '../../../shared/kit/id.ts';
import { iso } from '../../../shared/kit/time.ts';
import type { Change } from '../../../shared/work/stream-reader.ts';
import { linesOf } from '../../../test/log-lines.ts';
import { meterChanges } from './meter-changes.ts';

const acceptedMs = Date.parse('2026-11-20T12:00:00.000Z');
const row = { SK: newId(acceptedMs), origin: 'api', channel: 'email', status: 'sending' };
const sent = { ...row, status: 'sent', sentAt: iso(acceptedMs + 250) };
const delivered = { ...sent, status: 'delivered', deliveredAt: iso(acceptedMs + 2_000) };
const bounced = { ...sent, status: 'bounced' };
const text = { ...row, channel: 'sms', status: 'queued' };

const change = (before: Change['before'], after: Change['after']): Change => ({
  ...{ before, after, sequence: '1', atMs: acceptedMs },
});

const meter = async (...changes: readonly Change[]) => {
  const lines = await linesOf(async () => {
    vi.stubEnv('METRICS_NAMESPACE', 'n');
    meterChanges(changes);
  });
  return lines.map(({ level: _, timestamp: __, message: ___, _aws: ____, ...values }) => values);
};

it('a batch of changes is one line for each channel, with what happened and how long sending took', async () => {
  expect(
    await meter(
      change(undefined, row),
      change(undefined, row),
      change(row, sent),
      change(sent, delivered),
      change(sent, bounced),
      change(undefined, text),
    ),
  ).toEqual([
    { channel: 'email', accepted: 2, sent: 1, delivered: 1, failed: 1, sendLag: [250] },
    { channel: 'sms', accepted: 1 },
  ]);
});

it('a step that a message skipped is counted, and none twice', async () => {
  const opened = { ...delivered, status: 'opened' };
  expect(await meter(change(row, opened), change(opened, { ...opened, status: 'clicked' }))).toEqual([
    { channel: 'email', sent: 1, delivered: 1, sendLag: [250] },
  ]);
});

it('a scheduled message took as long as it was late', async () => {
  const later = { ...sent, scheduledAt: iso(acceptedMs + 200) };
  expect(await meter(change({ ...row, scheduledAt: later.scheduledAt }, later))).toMatchObject([{ sendLag: [50] }]);
});

it('campaigns, withdrawn messages and rewrites count nothing', async () => {
  const campaign = { ...row, origin: 'campaign' };
  expect(await meter(change(undefined, campaign), change(row, undefined), change(sent, sent))).toEqual([]);
});
