import type { Input, Reply } from '../../../shared/http/contract.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { WebhookStore } from '../../../shared/table/webhooks/webhook-store.ts';
import { makeSecret } from '../../../shared/webhooks/webhook.ts';
import type { regenerateSecretContract } from './contract.ts';

export interface RegenerateSecretNeeds {
  readonly webhooks: Pick<WebhookStore, 'change'>;
}

/** Each attempt reads the current secret, so the new one applies at once. */
export const regenerateSecret =
  ({ webhooks }: RegenerateSecretNeeds) =>
  async ({
    account,
    path,
    nowMs,
  }: Input<typeof regenerateSecretContract>): Promise<Reply<typeof regenerateSecretContract>> => {
    const secret = makeSecret();
    existing('webhook_not_found', await webhooks.change(account, path.id, { secret }, nowMs));
    return { secret };
  };
