import type { Queue } from '../../../shared/aws/queue.ts';
import type { AccountRef } from '../../../shared/kit/account-ref.ts';
import { inParts } from '../../../shared/kit/in-parts.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { DeliveryStore } from '../../../shared/table/webhooks/delivery-store.ts';
import type { PlacedEvent, PlaceInLog } from '../../../shared/table/webhooks/event-log-store.ts';
import type { EventStore } from '../../../shared/table/webhooks/event-store.ts';
import type { StoredWebhook } from '../../../shared/table/webhooks/webhook-items.ts';
import type { WebhookStore } from '../../../shared/table/webhooks/webhook-store.ts';
import { deliveryId, newDelivery } from '../../../shared/webhooks/delivery.ts';
import type { DeliveryJob } from '../../../shared/webhooks/jobs.ts';
import { firstAttempt } from '../../../shared/webhooks/publish.ts';
import { isInSpan, type ReplayJob, recordedUntilMs } from '../../../shared/webhooks/replay-span.ts';
import { resending, resentAtATime } from '../../../shared/webhooks/resend.ts';

export interface ReplayPartNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly webhooks: Pick<WebhookStore, 'find'>;
  readonly deliveries: Pick<DeliveryStore, 'begin' | 'findProgress' | 'progressPages' | 'saveNewRound'>;
  readonly events: Pick<EventStore, 'read' | 'placeAt' | 'sequencesFor'>;
  readonly webhookDeliveriesQueue: Queue<DeliveryJob>;
  readonly replaysQueue: Queue<ReplayJob>;
}

/** How often a run reads on in the log to find events. */
const mostReads = 20;

/**
 * Delivers a part of a period's events again, and leaves the rest to another job. A delivery that exists gets a new round of attempts; an event
 * that was never delivered, its first. Repeated, it may deliver some of them once more, under the same ids. `mostAtOnce`: how many events one run
 * delivers at most.
 */
export const replayPart = (
  { accounts, webhooks, events, replaysQueue, ...needs }: ReplayPartNeeds,
  { mostAtOnce = 500, pagesPerRead = 100 } = {},
) => {
  const { deliveries, webhookDeliveriesQueue } = needs;
  const { resend, resendEnded } = resending({ deliveries });

  const again = async (account: AccountRef, webhook: StoredWebhook, some: readonly PlacedEvent[], nowMs: number) => {
    const sequences = await events.sequencesFor(
      account.id,
      webhook.id,
      some.map(({ id }) => id),
    );
    const one = async (event: PlacedEvent): Promise<DeliveryJob | undefined> => {
      const sequence = sequences.get(event.id);
      if (sequence === undefined) return undefined;
      const id = deliveryId(event.id, webhook.id, event.occurredMs);
      const known = await resend(account.id, webhook, id, nowMs);
      if (known) return known;
      const { id: webhookId, pauses } = webhook;
      const delivery = newDelivery({ id, webhookId, event: event.name, eventId: event.id, pauses, sequence });
      await deliveries.begin(account.id, delivery, nowMs);
      return firstAttempt(event, { ...webhook, account }, sequence);
    };
    const jobs = await inParts(some, resentAtATime, one);
    await webhookDeliveriesQueue.send(jobs.filter((job) => job !== undefined));
  };

  /** The next events that are meant, and the place behind them, if there may be more. */
  const nextOf = async (job: ReplayJob, from: PlaceInLog) => {
    const meant: PlacedEvent[] = [];
    let next: PlaceInLog | undefined = from;
    for (let reads = 0; next && reads < mostReads && meant.length < mostAtOnce; reads += 1) {
      const start: PlaceInLog = next;
      const part = await events.read(job.account, start, pagesPerRead, recordedUntilMs(job));
      const found = part.events.filter((event) => isInSpan(job, event));
      meant.push(...found.slice(0, mostAtOnce - meant.length));
      const isCut = meant.at(-1)?.id !== found.at(-1)?.id && found.length > 0;
      if (isCut) return { meant, next: { page: start.page, position: meant.at(-1)?.position ?? 0 } };
      next = part.next;
    }
    return { meant, next };
  };

  const replayFailed = async (account: AccountRef, webhook: StoredWebhook, job: ReplayJob, nowMs: number) => {
    const { jobs, last } = await resendEnded(account.id, webhook, { ...job, states: ['failed'] }, nowMs);
    await webhookDeliveriesQueue.send(jobs);
    // From there on: one that fails again meanwhile gets no further round.
    if (last !== undefined) await replaysQueue.send([{ ...job, afterDelivery: last }]);
  };

  return async (job: ReplayJob, nowMs: number): Promise<void> => {
    const account = await accounts.find(job.account);
    const webhook = account && (await webhooks.find(account.ref, job.webhook));
    if (!account || !webhook?.isActive) return;
    if (job.onlyFailed) return replayFailed(account.ref, webhook, job, nowMs);
    const after = job.after ?? (await events.placeAt(job.account, job.sinceMs));
    const { meant, next } = await nextOf(job, after);
    await again(account.ref, webhook, meant, nowMs);
    if (next) await replaysQueue.send([{ ...job, after: next }]);
  };
};
