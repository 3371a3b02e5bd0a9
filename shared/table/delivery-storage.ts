import type { AccountRef } from '../kit/account-ref.ts';
import type { Vault } from '../kit/cipher.ts';
import { firstIdAt, isId, lastIdAt } from '../kit/id.ts';
import type { Delivery } from '../webhooks/delivery.ts';
import type { DeliveryJob } from '../webhooks/jobs.ts';
import { deliveryFrom, keptMs } from './delivery-items.ts';
import { itemKeys, partitions } from './keys.ts';
import type { Item, Table } from './table.ts';

/** How many rows one call takes on, so that it ends well before its function is cut off. */
const mostAtOnce = 1_000;
const atATime = 25;

/** What was kept too long is not there any more, whether the table has tidied it up or not. */
const keptStretch = (nowMs: number) => ({ from: firstIdAt(nowMs - keptMs), to: lastIdAt(Number.MAX_SAFE_INTEGER) });

/** Deliveries of one subscription, looked at from outside. Whether it is the account's is for the caller to have seen. */
export const deliveryStorage = (table: Table, vault: Vault) => {
  const opened = async (account: AccountRef, webhookId: string, items: readonly Item[]): Promise<Delivery[]> => {
    const cipher = await vault.unlock(account);
    return items.map((item) => deliveryFrom(cipher, webhookId, item));
  };

  /** Gives undefined when there is nothing to send again: no such delivery, or a test. */
  const again = async (account: AccountRef, webhookId: string, id: string): Promise<DeliveryJob | undefined> => {
    const item = isId(id) ? await table.get(itemKeys.delivery(webhookId, id)) : undefined;
    if (item?.['eventId'] === undefined) return undefined;
    const made = (item['attempts'] as unknown[]).length;
    const job: DeliveryJob = {
      account: account.id,
      webhook: webhookId,
      delivery: id,
      attempt: made + 1,
      lane: 'fast',
    };
    if (item['state'] === 'pending') return job;
    const { done } = await table.update({
      Key: itemKeys.delivery(webhookId, id),
      UpdateExpression: 'SET #state = :pending, earlierAttempts = :made',
      ConditionExpression: '#state = :before AND size(attempts) = :made',
      ExpressionAttributeNames: { '#state': 'state' },
      ExpressionAttributeValues: { ':pending': 'pending', ':before': item['state'], ':made': made },
    });
    return done ? job : again(account, webhookId, id);
  };

  return {
    /** Newest first, with the exact number of all. */
    page: async (
      account: AccountRef,
      webhookId: string,
      { offset, limit }: { readonly offset: number; readonly limit: number },
      nowMs: number,
    ): Promise<{ readonly total: number; readonly deliveries: Delivery[] }> => {
      const [partition, stretch] = [partitions.deliveries(webhookId), keptStretch(nowMs)];
      const total = await table.count(partition, stretch);
      if (offset >= total) return { total, deliveries: [] };
      const items = await table.query(partition, { ...stretch, newestFirst: true, limit: offset + limit });
      return { total, deliveries: await opened(account, webhookId, items.slice(offset)) };
    },

    /** Newest first, after the delivery with the id `cursor`; `limit` at most. */
    list: async (
      account: AccountRef,
      webhookId: string,
      { cursor, limit }: { readonly cursor: string | undefined; readonly limit: number },
      nowMs: number,
    ): Promise<Delivery[]> => {
      const stretch = keptStretch(nowMs);
      const to = cursor ?? stretch.to;
      if (to < stretch.from) return [];
      const items = await table.query(partitions.deliveries(webhookId), {
        from: stretch.from,
        to,
        newestFirst: true,
        limit: limit + 1,
      });
      return opened(account, webhookId, items.filter(({ SK }) => SK !== cursor).slice(0, limit));
    },

    /**
     * Begins a new round of attempts, and gives its first. A delivery that is pending goes on where it is, which helps where its next
     * attempt was lost.
     */
    again,

    /**
     * The same for the deliveries since an instant that have failed: a thousand of them. Those whose new round was never begun come last:
     * an earlier call may have died before it queued them.
     */
    failedAgain: async (account: AccountRef, webhookId: string, sinceMs: number): Promise<DeliveryJob[]> => {
      const stretch = { from: firstIdAt(sinceMs), to: lastIdAt(Number.MAX_SAFE_INTEGER), newestFirst: false };
      const only = ['SK', 'state', 'attempts', 'earlierAttempts'];
      const rows = await table.query(partitions.deliveries(webhookId), { ...stretch, only });
      const chosen = [...rows.filter(({ state }) => state === 'failed'), ...rows.filter(isUnbegun)];
      const jobs = await inTurns(chosen.slice(0, mostAtOnce), ({ SK }) => again(account, webhookId, String(SK)));
      return jobs.filter((job) => job !== undefined);
    },

    /** Deletes a thousand deliveries; true when there may be more. */
    removeSome: async (webhookId: string): Promise<boolean> => {
      const all = { from: firstIdAt(0), to: lastIdAt(Number.MAX_SAFE_INTEGER), newestFirst: false };
      const rows = await table.query(partitions.deliveries(webhookId), { ...all, limit: mostAtOnce, only: ['SK'] });
      await inTurns(rows, ({ SK }) => table.remove(itemKeys.delivery(webhookId, String(SK))));
      return rows.length === mostAtOnce;
    },
  };
};

export type Deliveries = ReturnType<typeof deliveryStorage>;

const isUnbegun = ({ state, attempts, earlierAttempts }: Item): boolean =>
  state === 'pending' && earlierAttempts !== 0 && (attempts as unknown[]).length === earlierAttempts;

const inTurns = async <T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> => {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += atATime)
    results.push(...(await Promise.all(items.slice(start, start + atATime).map(work))));
  return results;
};
