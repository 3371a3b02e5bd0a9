import type { Vault } from '../../kit/cipher.ts';
import {
  type Attempt,
  type Delivery,
  type DeliveryState,
  newDelivery,
  stateUnder,
  withAttempt,
} from '../../webhooks/delivery.ts';
import type { DeliveryJob } from '../../webhooks/jobs.ts';
import { type Tally, tallyOf } from '../../webhooks/tally.ts';
import { type ItemKey, itemKeys } from '../keys.ts';
import type { Item, Table } from '../table.ts';
import { putNew } from '../writes.ts';
import {
  countingItem,
  deliveryFrom,
  deliveryItem,
  leaseIn,
  newDeliveryItem,
  progressItem,
  tallyIn,
  updateAsRead,
} from './delivery-items.ts';
import { payloadIn, payloadsOf } from './event-store.ts';
import { countWrite, hostKeyOf } from './lease-items.ts';
import { type Target, targetFrom } from './webhook-items.ts';

export interface Loaded {
  readonly target: Target;
  readonly delivery: Delivery;
  /** The delivery as it was read; undefined before its first outcome. */
  readonly item: Item | undefined;
  /** The lease that is to count it as it is now, or has counted it. */
  readonly countedBy: string | undefined;
}

/** What the jobs of one subscription need, read together. */
export interface LoadedGroup {
  readonly target: Target;
  /** The item of the subscription's leases. */
  readonly leases: Item | undefined;
  /** The item of its host, where that was read too. */
  readonly host: Item | undefined;
  /** Undefined when the delivery is no longer kept. */
  delivery(job: DeliveryJob): Loaded | undefined;
  /** The raw body of a delivery; undefined when it is no longer kept. */
  payload(loaded: Loaded): Promise<string | undefined>;
}

/**
 * `recorded`: the attempt was written down, with the state that the delivery is in, and what its lease is to count. `over`: the delivery had
 * ended, or its log was deleted.
 */
export type Recorded =
  | { readonly kind: 'recorded'; readonly state: DeliveryState; readonly tally: Tally }
  | { readonly kind: 'made-by-another-run' }
  | { readonly kind: 'over' };

/** The hosts of so many subscriptions are remembered. */
const mostHosts = 1_000;

/** Running deliveries: stored with their first outcome, updated by every attempt, and counted once when they end. */
export const attemptStore = (table: Table, vault: Vault) => {
  /** The keys of the hosts of subscriptions that were loaded before: a host is read together with the next jobs. */
  const hosts = new Map<string, ItemKey>();

  const rememberHost = (webhook: string, host: ItemKey): void => {
    if (hosts.size >= mostHosts) hosts.clear();
    hosts.set(webhook, host);
  };

  /** Undefined when done, else the item that was there instead. */
  const write = async (
    { target, delivery, item }: Loaded,
    after: Delivery,
    lease: string,
  ): Promise<{ readonly instead: Item | undefined } | undefined> => {
    const cipher = await vault.unlock(target.account);
    const counting = countingItem(lease, delivery.countedAs, after.countedAs);
    if (!item) {
      const known = await table.add({ ...deliveryItem(target.account.id, cipher, after), ...counting });
      return known && { instead: known };
    }
    const update = updateAsRead(delivery.webhookId, item, { ...progressItem(cipher, after), ...counting });
    const updated = await table.update(update);
    return updated.done ? undefined : { instead: updated.item };
  };

  /** Writes an attempt down, for this lease to count, unless another run has made the same one. */
  const record = async (loaded: Loaded, attempt: Attempt, mostAttempts: number, lease: string): Promise<Recorded> => {
    const { target, delivery } = loaded;
    if (isEnded(delivery)) return { kind: 'over' };
    const after = withAttempt(delivery, attempt, mostAttempts);
    const refused = await write(loaded, after, lease);
    if (!refused) {
      const totals = { before: delivery.countedAs, after: after.countedAs };
      return { kind: 'recorded', state: after.state, tally: tallyOf(after.state, totals, attempt) };
    }
    if (!refused.instead) return { kind: 'over' };
    const current = deliveryFrom(await vault.unlock(target.account), target, refused.instead);
    if (current.attemptsMade !== delivery.attemptsMade) return { kind: 'made-by-another-run' };
    return record({ ...loaded, delivery: current, item: refused.instead }, attempt, mostAttempts, lease);
  };

  const keep = async ({ target, delivery, item }: Loaded): Promise<void> => {
    if (!item) await table.add(newDeliveryItem(target.account.id, delivery));
  };

  return {
    /** What these jobs of one subscription need; undefined when that was deleted. */
    load: async (jobs: readonly DeliveryJob[]): Promise<LoadedGroup | undefined> => {
      const [anyJob] = jobs;
      if (!anyJob) return undefined;
      const { account, webhook } = anyJob;
      const knownHost = hosts.get(webhook);
      const [webhookItem, leases, hostItem, ...others] = await table.getAll([
        itemKeys.webhook(account, webhook),
        itemKeys.deliveryLeases(webhook),
        knownHost,
        ...jobs.map(({ delivery }) => itemKeys.delivery(webhook, delivery)),
        ...jobs.map(({ begins }) => begins && itemKeys.event(account, begins.eventId)),
      ]);
      if (!webhookItem) return undefined;
      const target = await targetFrom(webhookItem, vault);
      const host = hostKeyOf(account, target.url);
      rememberHost(webhook, host);
      const cipher = await vault.unlock(target.account);
      const items = new Map(jobs.map(({ delivery }, n) => [delivery, others[n]]));
      const events = new Map(jobs.map(({ begins }, n) => [begins?.eventId, others[jobs.length + n]]));
      return {
        target,
        leases,
        host: knownHost?.PK === host.PK ? hostItem : undefined,
        delivery: (job) => {
          const item = items.get(job.delivery);
          if (item) return { target, delivery: deliveryFrom(cipher, target, item), item, countedBy: leaseIn(item) };
          const first = job.attempt === 1 ? firstOf(job) : undefined;
          const delivery = first && { ...first, state: stateUnder(target, first) };
          return delivery && { target, delivery, item: undefined, countedBy: undefined };
        },
        payload: async ({ delivery }) => {
          const event = events.get(delivery.eventId);
          if (event) return payloadIn(cipher, event);
          return (await payloadsOf(table, cipher, account, [delivery]))[0];
        },
      };
    },

    /** Stores a delivery that has to wait for its first attempt, or is cancelled before it, unless it is stored already. */
    keep,

    /** Writes down that a delivery was cancelled by a pause, unless something has happened to it since. */
    cancel: async (loaded: Loaded): Promise<void> => {
      const { delivery, item } = loaded;
      if (item) await table.update(updateAsRead(delivery.webhookId, item, { state: 'cancelled' }));
      else await keep(loaded);
    },

    record,

    /** Counts a delivery whose lease was evicted before it could. */
    countAlone: async (loaded: Loaded): Promise<void> => {
      const { target, delivery, item, countedBy: lease } = loaded;
      const tally = item && lease !== undefined && tallyIn(item, lease);
      if (!tally) return;
      const counted = {
        Update: {
          Key: itemKeys.delivery(target.id, delivery.id),
          UpdateExpression: 'REMOVE #line',
          ConditionExpression: '#line = :line',
          ExpressionAttributeNames: { '#line': 'line' },
          ExpressionAttributeValues: { ':line': lease },
        },
      };
      await table.transact([counted, countWrite(target.id, tally, { of: lease })]);
    },

    /** Keeps a delivery that was one attempt, and counts it. Nothing is kept of a subscription that is gone. */
    addEnded: async (target: Target, delivery: Delivery, attempt: Attempt): Promise<void> => {
      const ended = withAttempt(delivery, attempt, 1);
      const cipher = await vault.unlock(target.account);
      await table.transact([
        putNew(deliveryItem(target.account.id, cipher, ended)),
        countWrite(target.id, tallyOf(ended.state, { before: undefined, after: ended.countedAs }, attempt), {
          isTest: true,
        }),
        {
          ConditionCheck: {
            Key: itemKeys.webhook(target.account.id, target.id),
            ConditionExpression: 'attribute_exists(PK)',
          },
        },
      ]);
    },
  };
};

export type AttemptStore = ReturnType<typeof attemptStore>;

const isEnded = ({ state }: Delivery): boolean => state === 'succeeded' || state === 'failed';

/** The delivery of a job that begins one. */
const firstOf = ({ webhook, delivery, begins }: DeliveryJob): Delivery | undefined =>
  begins &&
  newDelivery({
    id: delivery,
    webhookId: webhook,
    event: begins.event,
    eventId: begins.eventId,
    sequence: begins.sequence,
    pauses: begins.pauses,
  });
