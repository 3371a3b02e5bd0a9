import { type Allowances, replaysOfAccount, spend } from '../../../shared/accounts/allowance.ts';
import type { Queue } from '../../../shared/aws/queue.ts';
import type { Input, Reply } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { DeliveryStore } from '../../../shared/table/webhooks/delivery-store.ts';
import type { EventStore } from '../../../shared/table/webhooks/event-store.ts';
import type { StoredWebhook } from '../../../shared/table/webhooks/webhook-items.ts';
import type { WebhookStore } from '../../../shared/table/webhooks/webhook-store.ts';
import { mostLogMegabytes } from '../../../shared/webhooks/log-row.ts';
import { mostLookedThrough, mostReplayed, type ReplayJob } from '../../../shared/webhooks/replay-span.ts';
import { keptSinceMs } from '../../../shared/webhooks/retention.ts';
import type { replayEventsContract } from './contract.ts';

export interface ReplayEventsNeeds {
  readonly webhooks: Pick<WebhookStore, 'find'>;
  readonly events: Pick<EventStore, 'count'>;
  readonly deliveries: Pick<DeliveryStore, 'countFailed'>;
  readonly rates: Allowances;
  readonly replaysQueue: Queue<ReplayJob>;
}

/** What else makes a period too long. */
const orMoreThan = (onlyFailed: boolean): string =>
  onlyFailed ? `${mostLogMegabytes} MB of their responses` : `${mostLookedThrough} events of any name`;

/** Counts what is to be delivered again, and leaves the deliveries to a chore. */
export const replayEvents = ({ webhooks, events, deliveries, rates, replaysQueue }: ReplayEventsNeeds) => {
  const countOf = (webhook: StoredWebhook, span: ReplayJob, nowMs: number): Promise<number> =>
    span.onlyFailed
      ? deliveries.countFailed(webhook, span, mostReplayed)
      : events.count(span.account, span, nowMs, { most: mostReplayed, mostLooked: mostLookedThrough });

  return async ({
    account,
    path,
    body,
    nowMs,
  }: Input<typeof replayEventsContract>): Promise<Reply<typeof replayEventsContract>> => {
    const webhook = existing('webhook_not_found', await webhooks.find(account, path.id));
    if (!webhook.isActive) throw new Fault('invalid_request', 'id: the subscription is paused; resume it first');
    const { since, until = nowMs, events: asked = webhook.events, onlyFailed } = body;
    if (since > nowMs) throw new Fault('invalid_request', 'since: must be in the past');
    if (until < since) throw new Fault('invalid_request', 'until: must not be before since');
    // What happens from now on has deliveries of its own.
    const untilMs = Math.min(until, nowMs);
    const sinceMs = Math.max(since, keptSinceMs(nowMs));
    const names = webhook.events.filter((name) => asked.some((one) => one === name));
    const span: ReplayJob = { account: account.id, webhook: webhook.id, sinceMs, untilMs, names, onlyFailed };
    const count = await countOf(webhook, span, nowMs);
    if (count > mostReplayed)
      throw new Fault(
        'invalid_request',
        `since: more than ${mostReplayed} deliveries, or ${orMoreThan(onlyFailed)}; choose a shorter period`,
      );
    if (count === 0) return { deliveries: 0 };
    await spend(rates, replaysOfAccount, account, nowMs, count);
    await replaysQueue.send([span]);
    return { deliveries: count };
  };
};
