import type { Input, Reply } from '../../../shared/http/contract.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import { iso } from '../../../shared/kit/time.ts';
import type { WebhookStore } from '../../../shared/table/webhooks/webhook-store.ts';
import { makeSecret } from '../../../shared/webhooks/webhook.ts';
import type { rotateSecretContract } from './contract.ts';

export interface RotateSecretNeeds {
  readonly webhooks: Pick<WebhookStore, 'rotateSecret'>;
}

/** Each attempt reads the current secrets, so the new one signs at once, and those before beside it until the time of each is up. */
export const rotateSecret =
  ({ webhooks }: RotateSecretNeeds) =>
  async ({
    account,
    path,
    body,
    nowMs,
  }: Input<typeof rotateSecretContract>): Promise<Reply<typeof rotateSecretContract>> => {
    const secret = makeSecret();
    const wished = { secret, previousValidUntilMs: nowMs + body.overlapSeconds * 1_000 };
    const rotated = existing('webhook_not_found', await webhooks.rotateSecret(account, path.id, wished, nowMs));
    return { secret, previousValidUntil: iso(rotated.previousValidUntilMs) };
  };
