import { type Allowances, spend, testsOfAccount } from '../../../shared/accounts/allowance.ts';
import type { Input, Reply } from '../../../shared/http/contract.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { WebhookTarget } from '../../../shared/providers/webhook/webhook-target.ts';
import type { AttemptStore } from '../../../shared/table/webhooks/attempt-store.ts';
import type { WebhookStore } from '../../../shared/table/webhooks/webhook-store.ts';
import { isSuccess, newDelivery } from '../../../shared/webhooks/delivery.ts';
import { testEvent } from '../../../shared/webhooks/events.ts';
import { testBody } from '../../../shared/webhooks/payload.ts';
import { testHeaders } from '../../../shared/webhooks/signature.ts';
import type { testWebhookContract } from './contract.ts';

export interface TestWebhookNeeds {
  readonly webhooks: Pick<WebhookStore, 'target'>;
  readonly attempts: Pick<AttemptStore, 'addEnded'>;
  readonly rates: Allowances;
  readonly webhookTarget: WebhookTarget;
}

/** Calls the target once, within the request. The result is logged and counted like any delivery. */
export const testWebhook =
  ({ webhooks, attempts, rates, webhookTarget }: TestWebhookNeeds) =>
  async ({
    account,
    path,
    newId,
    nowMs,
  }: Input<typeof testWebhookContract>): Promise<Reply<typeof testWebhookContract>> => {
    const target = existing('webhook_not_found', await webhooks.target(account, path.id));
    await spend(rates, testsOfAccount, account, nowMs);
    const { url, secret } = target;
    const body = testBody(account.id, target, nowMs);
    const headers = testHeaders({ event: testEvent, secrets: [secret], body, sequence: 0 });
    const answer = await webhookTarget.post({ url, body, headers });
    const delivery = newDelivery({ id: newId, webhookId: path.id, event: testEvent, payload: body });
    await attempts.addEnded(target, delivery, { startedMs: nowMs, ...answer });
    return { success: isSuccess(answer), ...answer };
  };
