import type { Queue } from '../../../shared/aws/queue.ts';
import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { DeliveryStore } from '../../../shared/table/webhooks/delivery-store.ts';
import type { WebhookStore } from '../../../shared/table/webhooks/webhook-store.ts';
import type { DeliveryJob } from '../../../shared/webhooks/jobs.ts';
import { mostLogMegabytes } from '../../../shared/webhooks/log-row.ts';
import { mostReplayed } from '../../../shared/webhooks/replay-span.ts';
import { resending } from '../../../shared/webhooks/resend.ts';
import { keptSinceMs } from '../../../shared/webhooks/retention.ts';
import { activeSubscriptionOf } from '../../../shared/webhooks/subscription-of.ts';
import type { resendFailedContract } from './contract.ts';

export interface ResendFailedNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly webhooks: Pick<WebhookStore, 'find'>;
  readonly deliveries: Pick<DeliveryStore, 'countSince' | 'findProgress' | 'progressPages' | 'saveNewRound'>;
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
    const { account, webhook } = await activeSubscriptionOf({ accounts, webhooks }, path);
    const sinceMs = Math.max(body.since, keptSinceMs(nowMs));
    if ((await deliveries.countSince(webhook, sinceMs, mostReplayed + 1)) > mostReplayed)
      throw new Fault(
        'invalid_request',
        `since: more than ${mostReplayed} deliveries, or ${mostLogMegabytes} MB of their responses; choose a later time`,
      );
    const { jobs } = await resending({ deliveries }).resendEnded(
      account.id,
      webhook,
      { sinceMs, states: body.states },
      nowMs,
    );
    await webhookDeliveriesQueue.send(jobs);
    return { count: jobs.length };
  };
