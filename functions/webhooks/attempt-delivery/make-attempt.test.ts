import { createHmac } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { iso } from '../../../shared/kit/time.ts';
import type { Loaded } from '../../../shared/table/webhooks/attempt-store.ts';
import { newDelivery } from '../../../shared/webhooks/delivery.ts';
import { linesOf } from '../../../test/log-lines.ts';
import { makeAttempt } from './make-attempt.ts';

const nowMs = Date.parse('2026-11-20T12:00:00.000Z');
const target = { url: 'https://example.com/hooks', secret: 's', earlier: [], api: 'messaging' };
const bodyOf = (message: object) => JSON.stringify({ data: { message } });
const sentMessage = bodyOf({ createdAt: iso(nowMs - 700) });

const attemptLine = async (statusCode: number, body = sentMessage, event = 'message.sent', attemptsMade = 0) => {
  const webhookTarget = { post: async () => ({ statusCode, responseTime: 20, responseBody: 'ada@example.com' }) };
  const delivery = { ...newDelivery({ id: 'd', webhookId: 'w', event, eventId: 'e' }), attemptsMade };
  const loaded = { target, delivery, item: undefined, countedBy: undefined };
  const [line] = await linesOf(() => {
    vi.stubEnv('METRICS_NAMESPACE', 'n');
    return makeAttempt(webhookTarget, loaded as unknown as Loaded, body, () => nowMs);
  });
  return line;
};

it('an attempt is a line with its outcome, without the answer’s text', async () => {
  for (const [statusCode, outcome] of [
    [204, 'succeeded'],
    [500, 'refused'],
    [0, 'unanswered'],
  ] as const)
    expect(await attemptLine(statusCode)).toMatchObject({
      ...{ webhookId: 'w', deliveryId: 'd', statusCode, responseTime: 20, outcome, attempts: 1 },
    });
  expect(JSON.stringify(await attemptLine(204))).not.toContain('ada@');
});

it('the first attempt of a sent message says how long after its acceptance it was', async () => {
  expect(await attemptLine(204)).toMatchObject({ webhookLag: [700] });
  const scheduled = bodyOf({ createdAt: iso(nowMs - 3_000), scheduledAt: iso(nowMs - 50) });
  expect(await attemptLine(204, scheduled)).toMatchObject({ webhookLag: [50] });
});

it('other attempts, other events, replays and unreadable bodies say nothing of that', async () => {
  const old = bodyOf({ createdAt: iso(nowMs - 3_600_000) });
  expect(await attemptLine(204, sentMessage, 'message.sent', 1)).not.toHaveProperty('webhookLag');
  expect(await attemptLine(204, sentMessage, 'message.delivered')).not.toHaveProperty('webhookLag');
  for (const body of [old, '{}', '"']) expect(await attemptLine(204, body)).not.toHaveProperty('webhookLag');
});

it('an attempt is signed with each secret that is valid when it begins, the current one first', async () => {
  const earlier = [1, 0].map((leftMs) => ({ secret: `s${leftMs}`, validUntilMs: nowMs + leftMs }));
  const posts: Record<string, string>[] = [];
  const webhookTarget = {
    post: async ({ headers }: { readonly headers: Record<string, string> }) => {
      posts.push(headers);
      return { statusCode: 204, responseTime: 20, responseBody: '' };
    },
  };
  const delivery = newDelivery({ id: 'd', webhookId: 'w', event: 'message.sent', eventId: 'e' });
  const loaded = { target: { ...target, earlier }, delivery };
  await linesOf(() => makeAttempt(webhookTarget, loaded as unknown as Loaded, sentMessage, () => nowMs));
  const seconds = nowMs / 1_000;
  const signatures = ['s', 's1'].map((secret) =>
    createHmac('sha256', secret).update(`${seconds}.${sentMessage}`).digest('hex'),
  );
  expect(posts.map((headers) => headers['X-Service-Signature'])).toEqual([
    `t=${seconds},${signatures.map((v1) => `v1=${v1}`).join()}`,
  ]);
});
