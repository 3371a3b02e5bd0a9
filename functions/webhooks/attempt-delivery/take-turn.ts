import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../../shared/kit/time.ts';
import type { PaceStore, Place, Turn } from '../../../shared/table/webhooks/pace-store.ts';
import type { DeliveryJob } from '../../../shared/webhooks/jobs.ts';
import type { Lane } from '../../../shared/webhooks/pace.ts';

/** `later`: the job is to come again, in this lane. */
export type Taken =
  | { readonly kind: 'turn'; readonly turns: readonly Turn[] }
  | { readonly kind: 'later'; readonly lane: Lane; readonly delaySeconds: number };

const lookAgainMs = 50;
const mostLooks = 2;
const busySeconds = 1;
const longestDelaySeconds = 900;

/**
 * A turn at the subscription of a job and at its host. Where others are there, a quick target is waited for, but hardly: a job that waits here
 * keeps others from being served, and one that comes again does not.
 */
export const takeTurn = async (
  paces: Pick<PaceStore, 'enter' | 'appoint'>,
  { account, webhook, lane }: DeliveryJob,
  url: string,
  clock: Clock,
): Promise<Taken> => {
  const delayAt = async (place: Place, everyMs: number): Promise<number> => {
    const waitMs = everyMs === 0 ? 0 : (await paces.appoint(place, everyMs, clock())) - clock();
    return Math.min(Math.max(Math.ceil(waitMs / 1_000), 0), longestDelaySeconds);
  };
  for (let look = 1; look <= mostLooks; look += 1) {
    const entry = await paces.enter({ account, webhook, url }, lane, clock());
    if (entry.kind === 'entered') return { kind: 'turn', turns: entry.turns };
    const { verdict, place } = entry;
    if (verdict.kind === 'slow')
      return { kind: 'later', lane: 'slow', delaySeconds: await delayAt(place, verdict.everyMs) };
    await sleep(lookAgainMs);
  }
  return { kind: 'later', lane, delaySeconds: busySeconds };
};
