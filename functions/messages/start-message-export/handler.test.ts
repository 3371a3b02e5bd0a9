import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportCalls } from '../../../test/export-calls.ts';
import { mail, openSending, type Sending } from '../send-message/send-fixture.ts';

let sending: Sending;
beforeAll(async () => {
  sending = await openSending();
});
afterAll(() => sending.world.close());

describe('GET /messages/export', () => {
  it('202 writes the messages that pass the filters, newest first, with the fields of the list', async () => {
    const { world, account, send } = sending;
    const first = (await send({ ...mail, tags: ['a', 'b'], metadata: { orderId: '=1' } })).body.data;
    const second = (await send(mail)).body.data;
    const { rows, begin } = exportCalls(world, account.key)('messages');
    const [header, ...all] = await rows();
    expect(header).toEqual([...Object.keys(first), 'scheduledAt']);
    const cells = (sent: object, metadata: string) =>
      Object.values({
        ...sent,
        tags: 'tags' in sent ? [sent.tags].flat().join(';') : '',
        metadata,
        scheduledAt: '',
      }).map((value) => value ?? '');
    expect(all).toEqual([cells(second, '{}'), cells(first, '{"orderId":"=1"}')]);
    expect(await rows({ channel: 'sms' })).toHaveLength(1);
    expect((await rows({ status: 'sent', createdAfter: second.createdAt })).slice(1).map(([id]) => id)).toEqual([
      second.id,
    ]);
    const third = (await send({ ...mail, to: 'Other@Example.com' })).body.data;
    expect((await rows({ to: 'other@example.com' })).slice(1).map(([id]) => id)).toEqual([third.id]);
    const sendAt = new Date(Date.now() + 3_600_000).toISOString();
    const later = (await send({ ...mail, to: 'later@example.com', sendAt })).body.data;
    expect((await rows({ to: 'later@example.com' })).map((row) => row.at(-1))).toEqual([
      'scheduledAt',
      later.scheduledAt,
    ]);
    expect((await begin({ status: 'read' })).status).toBe(400);
    expect((await begin({ to: 'other' })).status).toBe(400);
  });

  it('202 keeps an export for 7 days', async () => {
    const { world } = sending;
    const { key, ref } = await world.newAccount();
    const beganMs = Date.now();
    expect((await exportCalls(world, key)('messages').begin()).status).toBe(202);
    const kept = (await world.scan()).filter(({ entity, account }) => entity === 'transfer' && account === ref.id);
    expect(kept).toHaveLength(1);
    const daysKept = (Number(kept[0]?.['expiresAt']) * 1_000 - beganMs) / 86_400_000;
    expect(daysKept).toBeCloseTo(7, 2);
  });
});
