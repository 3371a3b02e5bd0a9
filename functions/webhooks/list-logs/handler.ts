import type { Input, Reply } from '../../../shared/http/contract.ts';
import { rowsThatFit } from '../../../shared/kit/cursor-page.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import { jsonOf } from '../../../shared/kit/json-text.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { DeliveryStore } from '../../../shared/table/webhooks/delivery-store.ts';
import type { WebhookStore } from '../../../shared/table/webhooks/webhook-store.ts';
import { type LogRow, logRowOf } from '../../../shared/webhooks/log-row.ts';
import type { listLogsContract } from './contract.ts';

export interface ListLogsNeeds {
  readonly webhooks: Pick<WebhookStore, 'find'>;
  readonly deliveries: Pick<DeliveryStore, 'page'>;
}

/** Lambda answers with 6,291,556 bytes at most, in which the body is a JSON text; the rest is for its headers. */
const mostReturnedBytes = 6_200_000;

const bytesReturned = (row: LogRow): number => Buffer.byteLength(JSON.stringify(jsonOf(row)));

/** One page of a subscription's deliveries, including pending ones. Pages have numbers, so one that is too large cannot end early. */
export const listLogs =
  ({ webhooks, deliveries }: ListLogsNeeds) =>
  async ({ account, path, query, nowMs }: Input<typeof listLogsContract>): Promise<Reply<typeof listLogsContract>> => {
    const webhook = existing('webhook_not_found', await webhooks.find(account, path.id));
    const { page, limit } = query;
    const found = await deliveries.page(account, webhook, { offset: (page - 1) * limit, limit }, nowMs);
    const data = found.deliveries.map(({ delivery, payload }) => logRowOf(delivery, payload));
    const fitting = rowsThatFit(data, bytesReturned, mostReturnedBytes);
    if (fitting < data.length)
      throw new Fault('invalid_request', `limit: must be at most ${fitting}, because the rows of this page are large`);
    const pages = Math.ceil(found.total / limit);
    return { data, total: found.total, page, limit, pages };
  };
