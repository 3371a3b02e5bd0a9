import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, longestDelaySeconds } from '../../../shared/kit/time.ts';
import type { ItemKey } from '../../../shared/table/keys.ts';
import type { Lease, PaceStore, ReadItems } from '../../../shared/table/webhooks/pace-store.ts';
import type { DeliveryJob } from '../../../shared/webhooks/jobs.ts';
import type { Lane } from '../../../shared/webhooks/pace.ts';

/** `later`: the jobs are to come again, in this lane. */
export type TakenLease =
  | { readonly kind: 'lease'; readonly lease: Lease }
  | { readonly kind: 'later'; readonly lane: Lane; readonly delaySeconds: number };

const lookAgainMs = 50;
const mostLooks = 3;
const busySeconds = 1;

/**
 * Takes a slot for a lease at its subscription and its host. Where a quick target has none free, it looks again twice, and no more: jobs that wait
 * here keep a run from other work, and jobs that return to the queue do not.
 */
export const takeLease = async (
  paces: Pick<PaceStore, 'enter' | 'appoint'>,
  { account, webhook, lane }: Pick<DeliveryJob, 'account' | 'webhook' | 'lane'>,
  { url, read, deliveries }: { readonly url: string; readonly read: ReadItems; readonly deliveries: readonly string[] },
  clock: Clock,
): Promise<TakenLease> => {
  const delayAt = async (key: ItemKey, everyMs: number): Promise<number> => {
    const waitMs = everyMs === 0 ? 0 : (await paces.appoint(key, everyMs, clock())) - clock();
    return Math.min(Math.max(Math.ceil(waitMs / 1_000), 0), longestDelaySeconds);
  };
  for (let look = 1; ; look += 1) {
    const asRead = look === 1 ? { ...read, leases: read.leases ?? {} } : {};
    const entry = await paces.enter({ account, webhook, url, deliveries }, lane, clock(), asRead);
    if (entry.kind === 'entered') return { kind: 'lease', lease: entry.lease };
    const { refusal, key } = entry;
    if (refusal.kind === 'slow')
      return { kind: 'later', lane: 'slow', delaySeconds: await delayAt(key, refusal.everyMs) };
    if (look === mostLooks) return { kind: 'later', lane, delaySeconds: busySeconds };
    await sleep(lookAgainMs);
  }
};
