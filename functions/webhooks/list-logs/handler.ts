import type { Input, Reply } from '../../../shared/http/contract.ts';
import { rowsThatFit } from '../../../shared/kit/cursor-page.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { DeliveryStore } from '../../../shared/table/webhooks/delivery-store.ts';
import type { WebhookStore } from '../../../shared/table/webhooks/webhook-store.ts';
import { logRowOf } from '../../../shared/webhooks/log-row.ts';
import type { listLogsContract } from './contract.ts';

export interface ListLogsNeeds {
  readonly webhooks: Pick<WebhookStore, 'find'>;
  readonly deliveries: Pick<DeliveryStore, 'page'>;
}

/** One page of a subscription's deliveries, including pending ones. Pages have numbers, so one that is too large cannot end early. */
export const listLogs =
  ({ webhooks, deliveries }: ListLogsNeeds) =>
  async ({ account, path, query, nowMs }: Input<typeof listLogsContract>): Promise<Reply<typeof listLogsContract>> => {
    const webhook = existing('webhook_not_found', await webhooks.find(account, path.id));
    const { page, limit } = query;
    const found = await deliveries.page(account, webhook, { offset: (page - 1) * limit, limit }, nowMs);
    const fitting = rowsThatFit(found.deliveries, ({ payload }) => Buffer.byteLength(payload));
    if (fitting < found.deliveries.length)
      throw new Fault('invalid_request', `limit: must be at most ${fitting}, because the rows of this page are large`);
    const pages = Math.ceil(found.total / limit);
    return {
      data: found.deliveries.map(({ delivery, payload }) => logRowOf(delivery, payload)),
      total: found.total,
      page,
      limit,
      pages,
    };
  };
