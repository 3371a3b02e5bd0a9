import { expect } from 'vitest';
import { createWebhookContract } from '../functions/webhooks/create-webhook/contract.ts';
import { createWebhook } from '../functions/webhooks/create-webhook/handler.ts';
import { listLogsContract } from '../functions/webhooks/list-logs/contract.ts';
import { listLogs } from '../functions/webhooks/list-logs/handler.ts';
import { endpoint } from '../shared/http/endpoint.ts';
import { newId } from '../shared/kit/id.ts';
import { JsonText } from '../shared/kit/json-text.ts';
import { newEmail } from '../shared/messages/new-message.ts';
import { itemKeys } from '../shared/table/keys.ts';
import type { Item } from '../shared/table/table.ts';
import type { Attempt } from '../shared/webhooks/delivery.ts';
import type { EventName } from '../shared/webhooks/events.ts';
import type { DeliveryJob } from '../shared/webhooks/jobs.ts';
import { messageEvent } from '../shared/webhooks/payload.ts';
import { eventPublisher } from '../shared/webhooks/publish.ts';
import { acceptEmail } from './accepted-message.ts';
import { call } from './call.ts';
import type { TestAccount, World } from './world.ts';

/** A queue that records its messages. */
export const startList = <Job>() => {
  const jobs: Job[] = [];
  const delays: number[] = [];
  return {
    jobs,
    delays,
    send: async (sent: readonly Job[], { delaySeconds = 0 }: { readonly delaySeconds?: number } = {}) => {
      jobs.push(...sent);
      delays.push(...sent.map(() => delaySeconds));
    },
  };
};

/** A queue that records first attempts, and stores each delivery as one that has to wait for it. */
export const startWaitingList = (world: World) => {
  const jobs: DeliveryJob[] = [];
  const send = async (sent: readonly DeliveryJob[]) => {
    for (const job of sent) {
      const loaded = (await world.attempts.load([job]))?.delivery(job);
      if (loaded) await world.attempts.keep(loaded);
      const { begins: _, ...waiting } = job;
      jobs.push(waiting);
    }
  };
  return { jobs, send };
};

/** The same for delayed jobs. */
export const startLateList = <Job>() => {
  const sent: { readonly job: Job; readonly dueMs: number; readonly name: string }[] = [];
  return {
    sent,
    sendAt: async (job: Job, { dueMs, name }: { readonly dueMs: number; readonly name: string }) =>
      void sent.push({ job, dueMs, name }),
  };
};

/** Webhook calls for tests. */
export const webhookCalls = (world: World) => {
  const create = (key: string, body: unknown) =>
    call(endpoint(createWebhookContract, createWebhook(world), world.webhookCallers()), { key, body });

  /** A subscription to all events. */
  const subscribe = async ({ key }: TestAccount, wishes: object = {}) => {
    const fields = { name: 'Orders', url: 'https://example.com/hooks', events: ['message.sent', 'message.failed'] };
    const { data } = (await create(key, { ...fields, ...wishes })).body;
    return { ...data.webhook, secret: data.secret } as { id: string; secret: string; createdAt: string };
  };

  /** The item of a message that was just accepted. */
  const acceptedItem = async (
    { ref }: TestAccount,
    nowMs = Date.now(),
    metadata: Record<string, unknown> = { orderId: 'A-17' },
  ) => {
    const asked = { channel: 'email', to: 'ada@example.com', metadata: JsonText.of(metadata) } as const;
    const message = newEmail(asked, newId(nowMs));
    await acceptEmail(world, ref, message);
    return (await world.table.get(itemKeys.message(ref.id, 'email', 0, message.id))) ?? {};
  };

  /** Publishes an event of a message, and returns the jobs of the first attempts. */
  const publish = async (
    { ref }: TestAccount,
    name: EventName,
    item: Item,
    atMs = Date.now(),
  ): Promise<DeliveryJob[]> => {
    const webhookDeliveriesQueue = startList<DeliveryJob>();
    const message = await world.messages.find(ref, String(item['SK']));
    const { audienceOf, publish: publishAll } = eventPublisher({ ...world, webhookDeliveriesQueue });
    await publishAll(await audienceOf(ref.id), [message ? messageEvent(name, message, atMs) : expect.fail()]);
    return webhookDeliveriesQueue.jobs;
  };

  /** The first attempts of the deliveries of one event of a new message to every matching subscription. */
  const first = async (
    account: TestAccount,
    {
      name = 'message.sent',
      atMs = Date.now(),
      metadata,
    }: {
      readonly name?: EventName;
      readonly atMs?: number;
      readonly metadata?: Record<string, unknown>;
    } = {},
  ): Promise<DeliveryJob[]> => publish(account, name, await acceptedItem(account, atMs, metadata), atMs);

  /** Sets since when all deliveries of a subscription have failed. */
  const failSince = async (webhook: string, since: string): Promise<void> => {
    await world.table.update({
      Key: itemKeys.deliveryLeases(webhook),
      UpdateExpression: 'SET failingSince = :since',
      ExpressionAttributeValues: { ':since': since },
    });
  };

  return {
    create,
    subscribe,
    acceptedItem,
    publish,

    logs: (key: string, id: string, query: Record<string, string> = {}) =>
      call(endpoint(listLogsContract, listLogs(world), world.webhookCallers()), { key, path: { id }, query }),

    first,

    /** The same of deliveries that are stored, because they had to wait. */
    begin: async (...asked: Parameters<typeof first>): Promise<DeliveryJob[]> => {
      const list = startWaitingList(world);
      await list.send(await first(...asked));
      return list.jobs;
    },

    /** Writes so many failed attempts with this answer down, and counts none. */
    fail: async (job: DeliveryJob, times: number, responseBody: string): Promise<void> => {
      for (let made = 0; made < times; made += 1) {
        const loaded = (await world.attempts.load([job]))?.delivery(job);
        if (!loaded) throw new Error('the delivery is gone');
        const attempt = { startedMs: Date.now(), statusCode: 500, responseTime: 9, responseBody };
        await world.attempts.record(loaded, attempt, times, 'lease');
      }
    },

    failSince,

    /** Pauses an active subscription as one whose deliveries have all failed since then. */
    pauseFailing: async ({ ref }: TestAccount, webhook: string, since: string): Promise<void> => {
      await failSince(webhook, since);
      const target = (await world.webhooks.target(ref, webhook)) ?? expect.fail();
      await world.webhooks.pauseFailing(target, { failingSince: since, missedSince: since }, Date.now());
    },

    /** Writes an attempt down and counts it, under a lease of its own. Returns the state that the delivery is in then. */
    record: async (job: DeliveryJob, answer: Partial<Attempt>, mostAttempts = 5) => {
      const all = await world.attempts.load([job]);
      const loaded = all?.delivery(job);
      if (!loaded) return undefined;
      const { account, webhook } = job;
      const entry = await world.paces.enter(
        { account, webhook, url: loaded.target.url, deliveries: [loaded.delivery.id] },
        'slow',
        Date.now(),
      );
      if (entry.kind !== 'entered') throw new Error('no slot for a lease');
      const attempt = { startedMs: Date.now(), statusCode: 500, responseTime: 1, responseBody: '', ...answer };
      const recorded = await world.attempts.record(loaded, attempt, mostAttempts, entry.lease.id);
      if (recorded.kind !== 'recorded') return undefined;
      await world.paces.leave(entry.lease, { longestMs: 1, answers: 1, tally: recorded.tally }, Date.now());
      return recorded.state;
    },
  };
};

export type WebhookCalls = ReturnType<typeof webhookCalls>;
