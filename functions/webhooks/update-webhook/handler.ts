import type { Input, Reply } from '../../../shared/http/contract.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { WebhookStore } from '../../../shared/table/webhooks/webhook-store.ts';
import type { updateWebhookContract } from './contract.ts';

export interface UpdateWebhookNeeds {
  readonly webhooks: Pick<WebhookStore, 'change' | 'find'>;
}

/** Omitted fields are unchanged. The table's stream notifies the admins of a pause. */
export const updateWebhook =
  ({ webhooks }: UpdateWebhookNeeds) =>
  async ({
    account,
    path,
    body,
    nowMs,
  }: Input<typeof updateWebhookContract>): Promise<Reply<typeof updateWebhookContract>> => {
    const before = body.isActive ? await webhooks.find(account, path.id) : undefined;
    const webhook = existing('webhook_not_found', await webhooks.change(account, path.id, body, nowMs));
    return { ...webhook, missedSince: before?.missedSince };
  };
