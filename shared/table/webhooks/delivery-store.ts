import type { AccountRef } from '../../kit/account-ref.ts';
import type { Vault } from '../../kit/cipher.ts';
import type { WantedPage } from '../../kit/cursor-page.ts';
import { firstIdAt, isId, lastIdAt, timeOfId } from '../../kit/id.ts';
import { inParts } from '../../kit/in-parts.ts';
import type { Delivery, DeliveryProgress, DeliverySummary, Subscription } from '../../webhooks/delivery.ts';
import { mostLogMegabytes, mostLogRows } from '../../webhooks/log-row.ts';
import type { Span } from '../../webhooks/replay-span.ts';
import { keptSinceMs } from '../../webhooks/retention.ts';
import { openKeyOf } from '../accounts/stranded-store.ts';
import { newestAfter, oldestAfter } from '../after-cursor.ts';
import { everyId } from '../every-id.ts';
import { itemKeys, partitions } from '../keys.ts';
import { behind } from '../merged-rows.ts';
import type { Item, Table } from '../table.ts';
import { deliveryFrom, newDeliveryItem, progressFrom, summaryFrom, updateAsRead } from './delivery-items.ts';
import { payloadsOf } from './event-store.ts';

/** The maximum of rows per call, so that it ends well before its function's timeout. */
const mostAtOnce = 1_000;
/** How many such calls look for an event: a row has up to 10 KB of answers. */
const mostLooks = 5;
const atATime = 25;

const progressAttributes = [
  'SK',
  'event',
  'eventId',
  'state',
  'attempts',
  'attemptsMade',
  'earlierAttempts',
  'pauses',
  'isResent',
];

const keptStretch = (nowMs: number, cursor?: string) => newestAfter(cursor, { fromMs: keptSinceMs(nowMs) });

/** A delivery and the raw body that it carries. */
interface Carried {
  readonly delivery: Delivery;
  readonly payload: string;
}

/** How a delivery stands, with its item as it was read. */
interface StoredProgress extends DeliveryProgress {
  readonly item: Item;
}

/** The id of a delivery, and its subscription. */
interface Owned {
  readonly webhook: Subscription;
  readonly id: string;
}

/** Deliveries of one subscription, looked at from outside. Whether it is the account's is for the caller to have seen. */
export const deliveryStore = (
  table: Table,
  vault: Vault,
  { rowsPerLook = mostAtOnce, mostCounted = mostLogRows, mostMegabytes = mostLogMegabytes } = {},
) => ({
  /** Newest first, with the number of all, up to `mostLogRows` and `mostLogMegabytes`. */
  page: async (
    account: AccountRef,
    webhook: Subscription,
    { offset, limit }: { readonly offset: number; readonly limit: number },
    nowMs: number,
  ): Promise<{ readonly total: number; readonly deliveries: readonly Carried[] }> => {
    const [partition, stretch] = [partitions.deliveries(webhook.id), keptStretch(nowMs)];
    const count = () => table.count(partition, stretch, { most: mostCounted, mostMegabytes });
    const counted = await count();
    if (offset >= counted) return { total: counted, deliveries: [] };
    const newest = { ...stretch, newestFirst: true };
    const skipped = offset === 0 ? [] : await table.query(partition, { ...newest, limit: offset + 1, only: ['SK'] });
    const to = String(skipped.at(-1)?.['SK'] ?? stretch.to);
    const items = await table.query(partition, { ...newest, to, limit });
    // One that came since they were counted must not push the last one off its page.
    const total = items.length > counted - offset ? Math.max(counted, await count()) : counted;
    const cipher = await vault.unlock(account);
    const deliveries = items.slice(0, total - offset).map((item) => deliveryFrom(cipher, webhook, item));
    const payloads = await payloadsOf(table, cipher, account.id, deliveries);
    return { total, deliveries: deliveries.map((delivery, n) => ({ delivery, payload: payloads[n] ?? '{}' })) };
  },

  /** Newest first, after the delivery with the id `cursor`; `limit` at most. */
  list: async (
    account: AccountRef,
    webhook: Subscription,
    { cursor, limit }: WantedPage,
    nowMs: number,
  ): Promise<Delivery[]> => {
    const stretch = { ...keptStretch(nowMs, cursor), newestFirst: true, limit };
    const items = await table.query(partitions.deliveries(webhook.id), stretch);
    const cipher = await vault.unlock(account);
    return items.map((item) => deliveryFrom(cipher, webhook, item));
  },

  /** How a delivery stands. */
  findProgress: async (subscription: Subscription, id: string): Promise<StoredProgress | undefined> => {
    const item = isId(id) ? await table.get(itemKeys.delivery(subscription.id, id)) : undefined;
    return item && { ...progressFrom(subscription, item), item };
  },

  /** The deliveries with these ids that are there, in one read. */
  summaries: async (wanted: readonly Owned[]): Promise<DeliverySummary[]> => {
    const items = await table.getAll(wanted.map(({ webhook, id }) => itemKeys.delivery(webhook.id, id)));
    return items.flatMap((item, n) => {
      const { webhook } = wanted[n] ?? {};
      return item && webhook ? [summaryFrom(webhook, item)] : [];
    });
  },

  /** How many deliveries there are since a time, up to `most`; `most`, too, where they have more than `mostLogMegabytes`. */
  countSince: (subscription: Subscription, sinceMs: number, most: number): Promise<number> => {
    const stretch = { ...everyId, from: firstIdAt(sinceMs) };
    return table.count(partitions.deliveries(subscription.id), stretch, { most, mostMegabytes, ifMore: most });
  },

  /**
   * How many deliveries of a time have failed, tests left out. More than `most` where so many lie in it, failed or not, or more than
   * `mostLogMegabytes` of them: they are too many to look through.
   */
  countFailed: async (subscription: Subscription, span: Span, most: number): Promise<number> => {
    const [partition, tooMany] = [partitions.deliveries(subscription.id), most + 1];
    const stretch = { from: firstIdAt(span.sinceMs), to: lastIdAt(span.untilMs) };
    const only = ['SK', 'event', 'eventId', 'state', 'attemptsMade', 'pauses'];
    let [looked, megabytes, failed] = [0, 0, 0];
    for await (const items of table.parts(partition, { ...stretch, only, newestFirst: false })) {
      looked += items.length;
      megabytes += 1;
      if (looked > most || megabytes > mostMegabytes) return tooMany;
      // A test has no event id, and is never resent.
      const isMeant = ({ event, eventId, state }: Item) =>
        state === 'failed' && eventId !== undefined && span.names.includes(String(event));
      failed += items.filter(isMeant).length;
    }
    return failed;
  },

  /**
   * When the first event of a time happened whose delivery is one of these. Where it is not among those that are looked at, which are the first:
   * when the last of them happened, which is before it.
   */
  firstEventOf: async (
    subscription: Subscription,
    { sinceMs, untilMs }: Pick<Span, 'sinceMs' | 'untilMs'>,
    isMeant: (delivery: DeliverySummary) => boolean,
  ): Promise<number | undefined> => {
    const to = lastIdAt(untilMs);
    let from = firstIdAt(sinceMs);
    for (let look = 1; look <= mostLooks; look += 1) {
      const page = { from, to, newestFirst: false, limit: rowsPerLook };
      const items = await table.query(partitions.deliveries(subscription.id), page);
      const found = items.find((item) => isMeant(summaryFrom(subscription, item)));
      if (found) return timeOfId(String(found['SK']));
      if (items.length < rowsPerLook) return undefined;
      from = String(items.at(-1)?.['SK']);
    }
    return timeOfId(from);
  },

  /** How the deliveries of a time stand, oldest first, or those of them after one. In pages, because a row has up to 20 KB of answers. */
  progressPages: async function* (
    subscription: Subscription,
    { sinceMs, untilMs, after }: Pick<Span, 'sinceMs' | 'untilMs'> & { readonly after: string | undefined },
  ): AsyncGenerator<DeliveryProgress[]> {
    const stretch = oldestAfter(after, { fromMs: sinceMs, toMs: untilMs });
    const page = { ...stretch, newestFirst: false, limit: rowsPerLook, only: progressAttributes };
    let from: string | undefined = stretch.from;
    while (from !== undefined) {
      const items: Item[] = await table.query(partitions.deliveries(subscription.id), { ...page, from });
      yield items.map((item) => progressFrom(subscription, item));
      from = items.length < rowsPerLook ? undefined : behind(String(items.at(-1)?.['SK']));
    }
  },

  /** Stores a delivery whose first attempt is about to be queued: its event keeps its body while it is pending. Nothing changes if it is stored already. */
  begin: async (accountId: string, delivery: Delivery, nowMs: number): Promise<void> => {
    await table.add({ ...newDeliveryItem(accountId, delivery), ...openKeyOf('delivery', delivery.id, nowMs) });
  },

  /** Stores that a new round of attempts begins now. False: the delivery has changed since it was read. */
  saveNewRound: async (
    { id: webhookId, pauses }: Subscription,
    { id, attemptsMade, item }: StoredProgress,
    nowMs: number,
  ): Promise<boolean> => {
    const round = {
      state: 'pending',
      attemptsMade,
      earlierAttempts: attemptsMade,
      pauses,
      isResent: true,
      ...openKeyOf('delivery', id, nowMs),
    };
    return (await table.update(updateAsRead(webhookId, item, round))).done;
  },

  /** Deletes a thousand deliveries; true when there may be more. */
  removeBatch: async (webhookId: string): Promise<boolean> => {
    const first = { ...everyId, newestFirst: false, limit: mostAtOnce, only: ['SK'] };
    const rows = await table.query(partitions.deliveries(webhookId), first);
    await inParts(rows, atATime, ({ SK }) => table.remove(itemKeys.delivery(webhookId, String(SK))));
    return rows.length === mostAtOnce;
  },
});

export type DeliveryStore = ReturnType<typeof deliveryStore>;
