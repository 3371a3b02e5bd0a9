import type { AccountRef } from '../../kit/account-ref.ts';
import type { Vault } from '../../kit/cipher.ts';
import { firstIdAt, isId, lastIdAt } from '../../kit/id.ts';
import type { Delivery, DeliveryState } from '../../webhooks/delivery.ts';
import type { DeliveryJob } from '../../webhooks/jobs.ts';
import { openKeyOf } from '../accounts/stranded-store.ts';
import { itemKeys, partitions } from '../keys.ts';
import type { Item, Table } from '../table.ts';
import {
  attemptsMadeIn,
  deliveryFrom,
  keptSinceMs,
  type Subscription,
  stateIn,
  updateAsRead,
} from './delivery-items.ts';
import { payloadsOf } from './event-store.ts';

/** How many rows one call takes on, so that it ends well before its function is cut off. */
const mostAtOnce = 1_000;
const atATime = 25;

const keptStretch = (nowMs: number) => ({
  from: firstIdAt(keptSinceMs(nowMs)),
  to: lastIdAt(Number.MAX_SAFE_INTEGER),
});

/** A delivery and the raw body that it carries. */
interface Carried {
  readonly delivery: Delivery;
  readonly payload: string;
}

/** Deliveries of one subscription, looked at from outside. Whether it is the account's is for the caller to have seen. */
export const deliveryStore = (table: Table, vault: Vault) => {
  /** Gives undefined when there is nothing to send again: no such delivery, or a test. */
  const resend = async (
    account: AccountRef,
    webhook: Subscription,
    id: string,
    nowMs: number,
  ): Promise<DeliveryJob | undefined> => {
    const item = isId(id) ? await table.get(itemKeys.delivery(webhook.id, id)) : undefined;
    if (item?.['eventId'] === undefined) return undefined;
    const made = attemptsMadeIn(item);
    const job: DeliveryJob = {
      account: account.id,
      webhook: webhook.id,
      delivery: id,
      attempt: made + 1,
      lane: 'fast',
    };
    if (stateIn(item, webhook) === 'pending') return job;
    const round = {
      state: 'pending',
      attemptsMade: made,
      earlierAttempts: made,
      pauses: webhook.pauses,
      isResent: true,
      ...openKeyOf('delivery', id, nowMs),
    };
    const { done } = await table.update(updateAsRead(webhook.id, item, round));
    return done ? job : resend(account, webhook, id, nowMs);
  };

  return {
    /** Newest first, with the exact number of all. */
    page: async (
      account: AccountRef,
      webhook: Subscription,
      { offset, limit }: { readonly offset: number; readonly limit: number },
      nowMs: number,
    ): Promise<{ readonly total: number; readonly deliveries: readonly Carried[] }> => {
      const [partition, stretch] = [partitions.deliveries(webhook.id), keptStretch(nowMs)];
      const total = await table.count(partition, stretch);
      if (offset >= total) return { total, deliveries: [] };
      const items = await table.query(partition, { ...stretch, newestFirst: true, limit: offset + limit });
      const cipher = await vault.unlock(account);
      const deliveries = items.slice(offset).map((item) => deliveryFrom(cipher, webhook, item));
      const payloads = await payloadsOf(table, cipher, account.id, deliveries);
      return { total, deliveries: deliveries.map((delivery, n) => ({ delivery, payload: payloads[n] ?? '{}' })) };
    },

    /** Newest first, after the delivery with the id `cursor`; `limit` at most. */
    list: async (
      account: AccountRef,
      webhook: Subscription,
      { cursor, limit }: { readonly cursor: string | undefined; readonly limit: number },
      nowMs: number,
    ): Promise<Delivery[]> => {
      const stretch = keptStretch(nowMs);
      const to = cursor ?? stretch.to;
      if (to < stretch.from) return [];
      const items = await table.query(partitions.deliveries(webhook.id), {
        from: stretch.from,
        to,
        newestFirst: true,
        limit: limit + 1,
      });
      const cipher = await vault.unlock(account);
      const page = items.filter(({ SK }) => SK !== cursor).slice(0, limit);
      return page.map((item) => deliveryFrom(cipher, webhook, item));
    },

    /**
     * Begins a new round of attempts, and gives its first. A delivery that is pending goes on where it is, which helps where its next
     * attempt was lost.
     */
    resend,

    /**
     * The same for the deliveries since an instant that ended in one of these states: a thousand of them. Those whose new round was never
     * begun come last: an earlier call may have died before it queued them.
     */
    resendEnded: async (
      account: AccountRef,
      webhook: Subscription,
      sinceMs: number,
      states: readonly DeliveryState[],
      nowMs: number,
    ): Promise<DeliveryJob[]> => {
      const stretch = { from: firstIdAt(sinceMs), to: lastIdAt(Number.MAX_SAFE_INTEGER), newestFirst: false };
      const only = ['SK', 'state', 'attempts', 'attemptsMade', 'earlierAttempts', 'pauses', 'isResent'];
      const rows = await table.query(partitions.deliveries(webhook.id), { ...stretch, only });
      const wanted = rows.filter((row) => states.includes(stateIn(row, webhook)));
      const unbegun = rows.filter((row) => stateIn(row, webhook) === 'pending' && isUnbegun(row));
      const chosen = [...wanted, ...unbegun].slice(0, mostAtOnce);
      const jobs = await inTurns(chosen, ({ SK }) => resend(account, webhook, String(SK), nowMs));
      return jobs.filter((job) => job !== undefined);
    },

    /** Deletes a thousand deliveries; true when there may be more. */
    removeBatch: async (webhookId: string): Promise<boolean> => {
      const all = { from: firstIdAt(0), to: lastIdAt(Number.MAX_SAFE_INTEGER), newestFirst: false };
      const rows = await table.query(partitions.deliveries(webhookId), { ...all, limit: mostAtOnce, only: ['SK'] });
      await inTurns(rows, ({ SK }) => table.remove(itemKeys.delivery(webhookId, String(SK))));
      return rows.length === mostAtOnce;
    },
  };
};

export type DeliveryStore = ReturnType<typeof deliveryStore>;

/** A new round of which nothing was made. */
const isUnbegun = (item: Item): boolean =>
  item['isResent'] === true && attemptsMadeIn(item) === item['earlierAttempts'];

const inTurns = async <T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> => {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += atATime)
    results.push(...(await Promise.all(items.slice(start, start + atATime).map(work))));
  return results;
};
