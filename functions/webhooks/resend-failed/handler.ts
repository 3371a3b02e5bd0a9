import type { Queue } from '../../../shared/aws/queue.ts';
import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { DeliveryStore } from '../../../shared/table/webhooks/delivery-store.ts';
import type { WebhookStore } from '../../../shared/table/webhooks/webhook-store.ts';
import type { DeliveryJob } from '../../../shared/webhooks/jobs.ts';
import { resending } from '../../../shared/webhooks/resend.ts';
import type { resendFailedContract } from './contract.ts';

export interface ResendFailedNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly webhooks: Pick<WebhookStore, 'find'>;
  readonly deliveries: Pick<DeliveryStore, 'findProgress' | 'listProgress' | 'saveNewRound'>;
  readonly webhookDeliveriesQueue: Queue<DeliveryJob>;
}

/** For when a receiver was down or its subscription paused: begins a new round of attempts for all that it missed. */
export const resendFailed =
  ({ accounts, webhooks, deliveries, webhookDeliveriesQueue }: ResendFailedNeeds) =>
  async ({
    path,
    body,
    nowMs,
  }: RequestOf<typeof resendFailedContract>): Promise<Reply<typeof resendFailedContract>> => {
    const account = existing('account_not_found', await accounts.find(path.id));
    const webhook = existing('webhook_not_found', await webhooks.find(account.ref, path.webhookId));
    if (!webhook.isActive) throw new Fault('invalid_request', 'webhookId: is paused; resume the subscription first');
    const { jobs } = await resending({ deliveries }).resendEnded(
      account.ref.id,
      webhook,
      { sinceMs: body.since, states: body.states },
      nowMs,
    );
    await webhookDeliveriesQueue.send(jobs);
    return { count: jobs.length };
  };
