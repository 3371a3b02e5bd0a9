import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Queue } from '../../../shared/aws/queue.ts';
import { newId } from '../../../shared/kit/id.ts';
import { byGroup } from '../../../shared/kit/job-group.ts';
import { iso } from '../../../shared/kit/time.ts';
import { type MessageEventJob, messageEventJob } from '../../../shared/messages/jobs.ts';
import { message } from '../../../shared/messages/message.ts';
import type { Trigger } from '../../../shared/messages/moves.ts';
import { itemKeys } from '../../../shared/table/keys.ts';
import type { Item } from '../../../shared/table/table.ts';
import type { DeliveryJob } from '../../../shared/webhooks/jobs.ts';
import type { Change } from '../../../shared/work/stream-reader.ts';
import { jobsFor } from '../../../test/outbox-calls.ts';
import { startList, startWaitingList, type WebhookCalls, webhookCalls } from '../../../test/webhook-calls.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { groupOf, publishEvents } from './handler.ts';

let world: World;
let calls: WebhookCalls;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  calls = webhookCalls(world);
});
afterAll(() => world.close());

const all = ['message.sent', 'message.delivered', 'message.failed', 'message.bounced'];
const atMs = Date.now() - 60_000;

/** The stream's changes of a new message after these triggers. */
const changesOf = async (owner: TestAccount, ...triggers: readonly Trigger[]): Promise<Change[]> => {
  let before: Item = await calls.acceptedItem(owner);
  const id = String(before['SK']);
  const changes: Change[] = [];
  for (const trigger of triggers) {
    const message = await world.messages.find(owner.ref, id);
    if (message) await world.messages.move(owner.ref, message, trigger, Date.now());
    const after = (await world.table.get(itemKeys.message(owner.ref.id, 'email', 0, id))) ?? {};
    changes.push({ before, after, sequence: `${changes.length}`, atMs });
    before = after;
  }
  return changes;
};

/** As the worker does: the jobs of a group together. */
const publishAll = async (jobs: readonly MessageEventJob[], webhookDeliveriesQueue: Queue<DeliveryJob>) => {
  const publishGroup = publishEvents({ ...world, webhookDeliveriesQueue });
  for (const group of byGroup(jobs, groupOf).values()) await publishGroup(group, (_, run) => run());
};

const publish = async (changes: readonly Change[]): Promise<DeliveryJob[]> => {
  const webhookDeliveriesQueue = startWaitingList(world);
  await publishAll(await jobsFor('message-events', messageEventJob, changes), webhookDeliveriesQueue);
  return webhookDeliveriesQueue.jobs;
};

const logOf = async (owner: TestAccount, id: string) => (await calls.logs(owner.key, id, { limit: '100' })).body.data;

describe('publishing events', () => {
  it('numbers the events of a message in their order, also when the job of a later one is earlier', async () => {
    const [late, usual] = [await world.newAccount(), await world.newAccount()];
    const published = async (owner: TestAccount, order: (changes: Change[]) => Change[]) => {
      await calls.subscribe(owner, { events: all });
      const deliveries = startList<DeliveryJob>();
      const changes = await changesOf(owner, 'providerAccepted', 'deliveryConfirmed', 'addressRejected');
      for (const change of order(changes))
        await publishAll(await jobsFor('message-events', messageEventJob, [change]), deliveries);
      const { payloads = [] } =
        (await world.events.list(owner.ref, { sinceMs: 0, names: all, after: undefined, limit: 10 }, Date.now())) ?? {};
      return {
        numbers: deliveries.jobs.map(({ begins }) => [begins?.event, begins?.sequence]),
        events: payloads.map((payload) => JSON.parse(payload)),
      };
    };
    const inOrder = await published(usual, (changes) => changes);
    expect(inOrder.events.map(({ event }) => event)).toEqual(['message.sent', 'message.delivered', 'message.bounced']);
    const reversed = await published(late, ([sent, delivered, bounced]) =>
      [delivered, sent, bounced].flatMap((c) => c ?? []),
    );
    expect(reversed.numbers).toEqual([
      ['message.delivered', 2],
      ['message.sent', 1],
      ['message.bounced', 3],
    ]);
    const shapeOf = ({ event, data }: (typeof inOrder.events)[number]) => [
      event,
      data.message.status,
      data.message.sentAt !== null,
      data.message.deliveredAt !== null,
    ];
    expect(reversed.events.map(shapeOf)).toEqual(inOrder.events.map(shapeOf));
    expect(reversed.events[0].createdAt).toBe(reversed.events[0].data.message.sentAt);
  });

  it('gives the event before a change no second number when it is no longer kept', async () => {
    const owner = await world.newAccount();
    await calls.subscribe(owner, { events: all });
    const numberAfter = async (days: number) => {
      const changes = await changesOf(owner, 'providerAccepted', 'deliveryConfirmed');
      const [job] = await jobsFor('message-events', messageEventJob, changes.slice(1));
      if (!job?.before) throw new Error('no job');
      const sentAt = iso(job.atMs - days * 86_400_000);
      const deliveries = startList<DeliveryJob>();
      await publishAll([{ ...job, before: { ...job.before, sentAt } }], deliveries);
      return deliveries.jobs.map(({ begins }) => [begins?.event, begins?.sequence]);
    };
    expect(await numberAfter(31)).toEqual([['message.delivered', 1]]);
    expect(await numberAfter(29)).toEqual([['message.delivered', 3]]);
  });

  it('begins the delivery to a subscription that was made after it had looked, if another run has numbered its event for that', async () => {
    const owner = await world.newAccount();
    const changes = await changesOf(owner, 'providerAccepted', 'deliveryConfirmed');
    const [sent, delivered] = await Promise.all(
      changes.map((change) => jobsFor('message-events', messageEventJob, [change])),
    );
    const deliveries = startList<DeliveryJob>();
    const storeMeanwhile: World['events']['storeNumbered'] = async (...events) => {
      await calls.subscribe(owner, { events: all });
      await publishAll(delivered ?? [], startList());
      return world.events.storeNumbered(...events);
    };
    const needs = { ...world, events: { storeNumbered: storeMeanwhile }, webhookDeliveriesQueue: deliveries };
    await publishEvents(needs)(sent ?? [], (_, run) => run());
    expect(deliveries.jobs.map(({ begins }) => [begins?.event, begins?.sequence])).toEqual([['message.sent', 1]]);
  });

  it('begins one delivery for each event and each active subscription that wants it, and for no other', async () => {
    account = await world.newAccount();
    const [everything, onlySent, paused, other] = [
      await calls.subscribe(account, { events: all }),
      await calls.subscribe(account, { events: ['message.sent', 'nonsense'] }),
      await calls.subscribe(account, { events: all, isActive: false }),
      await calls.subscribe(await world.newAccount(), { events: all }),
    ];
    const jobs = await publish(await changesOf(account, 'providerAccepted', 'deliveryConfirmed', 'opened', 'clicked'));
    expect(jobs).toHaveLength(3);
    for (const job of jobs) expect(job).toMatchObject({ account: account.ref.id, attempt: 1, lane: 'fast' });
    const events = async ({ id }: { id: string }) =>
      (await logOf(account, id)).map(({ event }: { event: string }) => event);
    expect((await events(everything)).sort()).toEqual(['message.delivered', 'message.sent']);
    expect([await events(onlySent), await events(paused)]).toEqual([['message.sent'], []]);
    expect(jobs.filter(({ webhook }) => webhook === paused.id || webhook === other.id)).toEqual([]);
  });

  it('shows the message exactly as it was when the event happened', async () => {
    account = await world.newAccount();
    const { id } = await calls.subscribe(account, { events: all });
    const changes = await changesOf(account, 'providerAccepted', 'deliveryConfirmed');
    await publish(changes);
    const rows = await logOf(account, id);
    const [sent, delivered] = ['message.sent', 'message.delivered'].map((event) =>
      rows.find((row: { event: string }) => row.event === event),
    );
    const now = await world.messages.find(account.ref, String(changes[0]?.after?.['SK']));
    expect(sent.payload.data.message).toMatchObject({ status: 'sent', sentAt: now?.sentAt, deliveredAt: null });
    const { metadata, ...shown } = message.parse(now);
    expect(delivered.payload.data.message).toEqual({ ...shown, metadata: JSON.parse(metadata.text) });
    expect([sent.createdAt, sent.payload.createdAt]).toEqual([now?.sentAt, now?.sentAt]);
    expect(delivered.payload.createdAt).toBe(now?.deliveredAt);
  });

  it('publish-events publishes both events when a message skips a step, as one does that is rejected before its answer is stored', async () => {
    account = await world.newAccount();
    const { id } = await calls.subscribe(account, { events: all });
    await publish(await changesOf(account, 'opened'));
    await publish(await changesOf(account, 'addressRejected'));
    await publish(await changesOf(account, 'contentRejected'));
    const rows = await logOf(account, id);
    expect(rows.map(({ event }: { event: string }) => event).sort()).toEqual([
      'message.bounced',
      'message.delivered',
      'message.failed',
      'message.sent',
      'message.sent',
      'message.sent',
    ]);
  });

  it('an email that came back after its delivery has failed after it was delivered', async () => {
    account = await world.newAccount();
    await calls.subscribe(account, { events: all });
    const deliveries = startList<DeliveryJob>();
    const changes = await changesOf(account, 'providerAccepted', 'deliveryConfirmed', 'mailUndelivered');
    await publishAll(await jobsFor('message-events', messageEventJob, changes), deliveries);
    expect(deliveries.jobs.map(({ begins }) => [begins?.event, begins?.sequence])).toEqual([
      ['message.sent', 1],
      ['message.delivered', 2],
      ['message.failed', 3],
    ]);
  });

  it('a bounce has the time of its change, which the stream gives to the second, but never one before its email was sent', async () => {
    account = await world.newAccount();
    const { id } = await calls.subscribe(account, { events: ['message.bounced'] });
    const laterMs = Math.ceil(Date.now() / 1_000) * 1_000 + 60_000;
    for (const ms of [atMs, laterMs]) {
      const changes = await changesOf(account, 'addressRejected');
      await publish(changes.map((change) => ({ ...change, atMs: ms })));
    }
    const rows = await logOf(account, id);
    const [late, early] = rows.toSorted((one: { createdAt: string }, other: { createdAt: string }) =>
      other.createdAt.localeCompare(one.createdAt),
    );
    expect(late.createdAt).toBe(iso(laterMs));
    expect(early.createdAt).toBe(early.payload.data.message.sentAt);
  });

  it('publish-events gives the same deliveries for repeated changes, and queues them again', async () => {
    account = await world.newAccount();
    const { id } = await calls.subscribe(account, { events: all });
    const changes = await changesOf(account, 'providerAccepted', 'deliveryConfirmed');
    const jobs = await publish(changes);
    expect(await publish(changes)).toEqual(jobs);
    expect((await calls.logs(account.key, id)).body.total).toBe(2);
  });

  it('queues the first attempt for each of many subscriptions, and writes nothing but the event', async () => {
    account = await world.newAccount();
    const fields = { name: 'n', url: 'https://example.com/hooks', events: all, isActive: true };
    for (let n = 0; n < 45; n += 1)
      await world.webhooks.create(account.ref, newId(Date.now()), fields, { secret: 's', most: 100 });
    const queue = startList<DeliveryJob>();
    const jobs = await jobsFor('message-events', messageEventJob, await changesOf(account, 'providerAccepted'));
    await publishAll(jobs, queue);
    expect(new Set(queue.jobs.map(({ webhook }) => webhook)).size).toBe(45);
    const items = (await world.scan()).filter((item) => item['account'] === account.ref.id);
    const entities = items.map(({ entity }) => entity);
    expect([entities.filter((name) => name === 'event').length, entities.includes('delivery')]).toEqual([1, false]);
  });

  it('publish-events separates the accounts of one batch', async () => {
    const [one, other] = [await world.newAccount(), await world.newAccount()];
    const [ofOne, ofOther] = [await calls.subscribe(one), await calls.subscribe(other)];
    const changes = [...(await changesOf(one, 'providerAccepted')), ...(await changesOf(other, 'providerAccepted'))];
    const jobs = await publish([...changes, ...(await changesOf(one, 'providerAccepted'))]);
    expect(jobs.filter(({ webhook }) => webhook === ofOne.id)).toHaveLength(2);
    expect(jobs.filter(({ webhook }) => webhook === ofOther.id)).toHaveLength(1);
    for (const { account: of, webhook } of jobs) expect(of).toBe(webhook === ofOne.id ? one.ref.id : other.ref.id);
  });

  it('publish-events fails when the queue does, so that its job comes back', async () => {
    account = await world.newAccount();
    await calls.subscribe(account);
    const changes = await changesOf(account, 'providerAccepted');
    const webhookDeliveriesQueue = { send: () => Promise.reject(new Error('the queue is away')) };
    const jobs = await jobsFor('message-events', messageEventJob, changes);
    const published = publishAll(jobs, webhookDeliveriesQueue);
    await expect(published).rejects.toThrow('the queue is away');
    expect(await publish(changes)).toHaveLength(1);
  });
});
