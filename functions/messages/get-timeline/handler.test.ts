import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { newId } from '../../../shared/kit/id.ts';
import { JsonText } from '../../../shared/kit/json-text.ts';
import { iso } from '../../../shared/kit/time.ts';
import { newEmail } from '../../../shared/messages/new-message.ts';
import type { TimelineEntry } from '../../../shared/messages/timeline.ts';
import { itemKeys } from '../../../shared/table/keys.ts';
import { acceptEmail, acceptedText } from '../../../test/accepted-message.ts';
import { call } from '../../../test/call.ts';
import { countConsumption } from '../../../test/consumption.ts';
import { type WebhookCalls, webhookCalls } from '../../../test/webhook-calls.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { publishEvents } from '../../webhooks/publish-events/handler.ts';
import { getTimelineContract } from './contract.ts';
import { getTimeline } from './handler.ts';

const startMs = Date.now() - 60_000;
const at = (ms: number): string => iso(startMs + ms);

let world: World;
let calls: WebhookCalls;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  calls = webhookCalls(world);
  account = await world.newAccount();
});
afterAll(() => world.close());

const list = (id: string, key = account.key) =>
  call(endpoint(getTimelineContract, getTimeline(world), world.callers('messages:read')), { key, path: { id } });
const entriesOf = async (id: string, key?: string) => (await list(id, key)).body.data as TimelineEntry[];
const typesOf = async (id: string) => (await entriesOf(id)).map(({ type }) => type);

const acceptedEmail = async ({ ref } = account, metadata = JsonText.of({})) => {
  const message = newEmail({ channel: 'email', to: 'ada@example.com', metadata }, newId(startMs));
  await acceptEmail(world, ref, message);
  return message;
};
const record = (id: string, trigger: 'deliveryConfirmed' | 'opened' | 'complained', ms: number) =>
  world.outcomeRecorder.record(account.ref, id, { trigger }, startMs + ms);

describe('GET /messages/{id}/events', () => {
  it('200 lists what happened to an email, oldest first, and each thing once', async () => {
    const message = await acceptedEmail();
    await world.messages.move(account.ref, message, 'providerAccepted', startMs + 240, 'ses-1');
    await record(message.id, 'deliveryConfirmed', 900);
    for (let n = 0; n < 5; n++) await record(message.id, 'opened', 2_000 + n);
    await record(message.id, 'deliveryConfirmed', 3_000);
    await record(message.id, 'complained', 4_000);
    expect(await entriesOf(message.id)).toEqual([
      { at: at(0), type: 'accepted', detail: {} },
      { at: at(240), type: 'attempt', detail: { outcome: 'accepted', reference: 'ses-1' } },
      { at: at(240), type: 'sent', detail: {} },
      { at: at(900), type: 'delivered', detail: {} },
      { at: at(2_000), type: 'opened', detail: {} },
      { at: at(4_000), type: 'complained', detail: {} },
    ]);
    const row = await world.table.get(itemKeys.message(account.ref.id, 'email', 0, message.id));
    expect(JSON.stringify(row?.['steps']).length).toBeLessThan(50);
  });

  it('200 lists what the provider answered, also where a report was recorded before the answer', async () => {
    for (const trigger of ['deliveryConfirmed', 'providerAccepted'] as const) {
      const message = await acceptedEmail();
      await world.outcomeRecorder.record(account.ref, message.id, { trigger }, startMs + 200);
      await world.messages.move(account.ref, message, 'providerAccepted', startMs + 240, 'ses-2');
      const answers = (await entriesOf(message.id)).filter(({ type }) => type === 'attempt');
      expect(answers).toEqual([{ at: at(200), type: 'attempt', detail: { outcome: 'accepted', reference: 'ses-2' } }]);
    }
  });

  it('200 lists the attempts of a text and what its provider answered, and never its words', async () => {
    const job = await acceptedText(world, account, { text: 'Your code is 4711', atMs: startMs });
    const claim = async (ms: number) => {
      const picked = await world.textSends.pickUp(account.ref, job, {
        token: randomUUID(),
        isRepeatable: true,
        nowMs: startMs + ms,
      });
      return picked.kind === 'claimed' ? picked : expect.fail(picked.kind);
    };
    await world.textSends.releaseClaim(account.ref, await claim(100), {
      isUnanswered: false,
      nowMs: startMs + 150,
    });
    await world.textSends.releaseClaim(account.ref, await claim(1_100), {
      isUnanswered: true,
      nowMs: startMs + 1_150,
    });
    const failure = { code: 'blocked', reason: 'The number is blocked.' };
    await world.textSends.fail(account.ref, await claim(9_100), 'providerRefused', failure, startMs + 9_200);
    expect(await entriesOf(job.message)).toEqual([
      { at: at(0), type: 'accepted', detail: {} },
      { at: at(0), type: 'queued', detail: {} },
      { at: at(100), type: 'sending', detail: {} },
      { at: at(150), type: 'attempt', detail: { outcome: 'unavailable' } },
      { at: at(1_100), type: 'sending', detail: {} },
      { at: at(1_150), type: 'attempt', detail: { outcome: 'unknown' } },
      { at: at(9_100), type: 'sending', detail: {} },
      { at: at(9_200), type: 'attempt', detail: { outcome: 'refused', ...failure } },
      { at: at(9_200), type: 'failed', detail: failure },
    ]);
    expect((await list(job.message)).text).not.toContain('4711');
  });

  it('200 lists the webhook deliveries of each of its events, with the last status code', async () => {
    const owner = await world.newAccount();
    const events = ['message.sent', 'message.bounced'];
    const [first, second] = [await calls.subscribe(owner, { events }), await calls.subscribe(owner, { events })];
    const message = await acceptedEmail(owner);
    await world.messages.move(owner.ref, message, 'providerAccepted', startMs + 240);
    const failure = { code: 'Permanent', reason: 'No such mailbox.' };
    const outcome = { trigger: 'addressRejected' as const, failure };
    await world.outcomeRecorder.record(owner.ref, message.id, outcome, startMs + 900);

    const jobs: Parameters<typeof calls.record>[0][] = [];
    const webhookDeliveriesQueue = { send: async (sent: typeof jobs) => void jobs.push(...sent) };
    const state = { status: 'sent' as const, sentAt: at(240), deliveredAt: null, failedAt: null };
    const ids = { account: owner.ref.id, message: message.id, channel: 'email' as const, failureCode: null };
    const publish = publishEvents({
      ...world,
      webhookDeliveriesQueue: { send: async (sent) => webhookDeliveriesQueue.send([...sent]) },
    });
    await publish([{ ...ids, ...state, atMs: startMs }], (_, run) => run());
    await publish([{ ...ids, ...state, status: 'bounced', before: state, atMs: startMs + 1_000 }], (_, run) => run());
    expect(jobs).toHaveLength(4);
    for (const [n, job] of jobs.entries()) {
      await calls.record(job, { statusCode: 500, startedMs: startMs + 5_000 + n });
      if (job.webhook === second.id) await calls.record(job, { statusCode: 204, startedMs: startMs + 8_000 + n });
    }
    const entries = await entriesOf(message.id, owner.key);
    expect(entries.slice(0, 4).map(({ type }) => type)).toEqual(['accepted', 'attempt', 'sent', 'bounced']);
    expect(entries[3]).toEqual({ at: at(900), type: 'bounced', detail: failure });
    const deliveries = entries.slice(4);
    expect(
      deliveries.map(({ detail }) => [detail.webhookId, detail.event, detail.statusCode, detail.attempts]),
    ).toEqual(
      [first, second].flatMap(({ id }, n) =>
        ['message.sent', 'message.bounced'].map((event) => [id, event, n === 0 ? 500 : 204, n + 1]),
      ),
    );
    expect(deliveries.map(({ detail: { state: own } }) => own)).toEqual([
      'pending',
      'pending',
      'succeeded',
      'succeeded',
    ]);
    expect(deliveries.every(({ type }) => type === 'webhook_delivery')).toBe(true);
    const { calls: made } = await countConsumption(world.calls).of(() => list(message.id, owner.key));
    expect(made).toBeLessThanOrEqual(5);
  });

  it('200 lists the times of a message that has no steps, because an older release wrote it', async () => {
    const message = await acceptedEmail();
    await world.messages.move(account.ref, message, 'providerAccepted', startMs + 240);
    const Key = itemKeys.message(account.ref.id, 'email', 0, message.id);
    await world.table.update({ Key, UpdateExpression: 'REMOVE steps' });
    expect(await entriesOf(message.id)).toEqual([
      { at: at(0), type: 'accepted', detail: {} },
      { at: at(240), type: 'sent', detail: {} },
    ]);
    await record(message.id, 'opened', 900);
    expect(await typesOf(message.id)).toEqual(['accepted', 'sent', 'delivered', 'opened']);
  });

  it('404 answers an unknown id and another account’s message alike', async () => {
    const message = await acceptedEmail();
    const { key } = await world.newAccount();
    for (const { status, body } of [await list(message.id, key), await list(newId(Date.now())), await list('x')])
      expect([status, body.error.code]).toEqual([404, 'message_not_found']);
  });
});
