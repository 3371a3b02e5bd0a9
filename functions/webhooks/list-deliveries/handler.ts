import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { filteredPage } from '../../../shared/kit/cursor-page.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { DeliveryStore } from '../../../shared/table/webhooks/delivery-store.ts';
import type { WebhookStore } from '../../../shared/table/webhooks/webhook-store.ts';
import { deliveryRecordOf } from '../../../shared/webhooks/delivery-record.ts';
import { subscriptionOf } from '../../../shared/webhooks/subscription-of.ts';
import type { listDeliveriesContract } from './contract.ts';

export interface ListDeliveriesNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly webhooks: Pick<WebhookStore, 'find'>;
  readonly deliveries: Pick<DeliveryStore, 'list'>;
  /** Seconds before each attempt after the first. */
  readonly waits: readonly number[];
}

/** One page of a subscription's deliveries, for people who look for errors. */
export const listDeliveries =
  ({ accounts, webhooks, deliveries, waits }: ListDeliveriesNeeds) =>
  async ({
    path,
    query: { cursor, limit, state, event },
    nowMs,
  }: RequestOf<typeof listDeliveriesContract>): Promise<Reply<typeof listDeliveriesContract>> => {
    const { account, webhook } = await subscriptionOf({ accounts, webhooks }, path);
    const { page, pagination } = await filteredPage(
      { cursor, limit },
      async (part) => (await deliveries.list(account, webhook, part, nowMs)).map((row) => ({ id: row.id, row })),
      (row) => (state ?? row.state) === row.state && (event ?? row.event) === row.event,
      ({ attempts }) => Buffer.byteLength(JSON.stringify(attempts)),
    );
    return { data: page.map(deliveryRecordOf(waits)), pagination };
  };
