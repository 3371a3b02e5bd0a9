import { iso } from '../../../shared/kit/time.ts';
import type { DeliveryStore } from '../../../shared/table/webhooks/delivery-store.ts';
import type { PaceStore } from '../../../shared/table/webhooks/pace-store.ts';
import type { Target } from '../../../shared/table/webhooks/webhook-items.ts';
import type { WebhookStore } from '../../../shared/table/webhooks/webhook-store.ts';
import type { DeliverySummary } from '../../../shared/webhooks/delivery.ts';
import { retriedSpan } from '../../../shared/webhooks/retries.ts';
import { hasFailedForLong } from '../../../shared/webhooks/webhook.ts';

export interface PauseFailingNeeds {
  readonly deliveries: Pick<DeliveryStore, 'firstEventOf'>;
  readonly paces: Pick<PaceStore, 'failSince'>;
  readonly webhooks: Pick<WebhookStore, 'pauseFailing'>;
  readonly waits: readonly number[];
}

const longestAttemptMs = 60_000;

/** Since when all deliveries have failed, when the last of them did, and when the last one before them had succeeded. */
interface Failing {
  readonly failingSince: string;
  readonly lastFailedAt: string;
  readonly lastSentAt?: string | undefined;
}

/**
 * Pauses a subscription whose deliveries have all failed for days, and notes when the first event happened that it missed: long before the
 * delivery of that event had failed. Those days begin with the first failure since the subscription is active and last had a success. One of the
 * checkout stays active, because nothing could resume it.
 */
export const pauseFailing =
  ({ deliveries, paces, webhooks, waits }: PauseFailingNeeds) =>
  async (target: Target, { failingSince, lastFailedAt, lastSentAt }: Failing, nowMs: number): Promise<void> => {
    if (target.api === 'checkout') return;
    // Of two leases at once, one may count a failure after the other has counted a later success.
    const beginsMs = Math.max(target.activeSinceMs, Date.parse(lastSentAt ?? failingSince));
    if (Date.parse(failingSince) < beginsMs) return paces.failSince(target.id, failingSince, lastFailedAt);
    if (!hasFailedForLong(failingSince, nowMs)) return;
    const untilMs = Date.parse(failingSince);
    const isMissed = ({ state, last }: DeliverySummary): boolean =>
      state === 'pending' || (state === 'failed' && last !== undefined && last.startedMs >= untilMs - longestAttemptMs);
    const span = retriedSpan(waits, { id: target.id, lastSentAt }, untilMs);
    const missedMs = await deliveries.firstEventOf(target, span, isMissed);
    await webhooks.pauseFailing(target, { failingSince, missedSince: iso(missedMs ?? untilMs) }, nowMs);
  };
