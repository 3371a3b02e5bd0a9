import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, longestDelaySeconds } from '../../../shared/kit/time.ts';
import type { ItemKey } from '../../../shared/table/keys.ts';
import type { Line, PaceStore, Read } from '../../../shared/table/webhooks/pace-store.ts';
import type { DeliveryJob } from '../../../shared/webhooks/jobs.ts';
import type { Lane } from '../../../shared/webhooks/pace.ts';

/** `later`: the jobs are to come again, in this lane. */
export type Taken =
  | { readonly kind: 'line'; readonly line: Line }
  | { readonly kind: 'later'; readonly lane: Lane; readonly delaySeconds: number };

const lookAgainMs = 50;
const mostLooks = 3;
const busySeconds = 1;

/**
 * A place for a line at its subscription and its host. Where others are there, a quick target is waited for, but hardly: a line that waits here
 * keeps others from being served, and one that comes again does not.
 */
export const takeTurn = async (
  paces: Pick<PaceStore, 'enter' | 'appoint'>,
  { account, webhook, lane }: Pick<DeliveryJob, 'account' | 'webhook' | 'lane'>,
  { url, read, deliveries }: { readonly url: string; readonly read: Read; readonly deliveries: readonly string[] },
  clock: Clock,
): Promise<Taken> => {
  const delayAt = async (key: ItemKey, everyMs: number): Promise<number> => {
    const waitMs = everyMs === 0 ? 0 : (await paces.appoint(key, everyMs, clock())) - clock();
    return Math.min(Math.max(Math.ceil(waitMs / 1_000), 0), longestDelaySeconds);
  };
  for (let look = 1; look <= mostLooks; look += 1) {
    const asRead = look === 1 ? { ...read, lines: read.lines ?? {} } : {};
    const entry = await paces.enter({ account, webhook, url, deliveries }, lane, clock(), asRead);
    if (entry.kind === 'entered') return { kind: 'line', line: entry.line };
    const { verdict, key } = entry;
    if (verdict.kind === 'slow')
      return { kind: 'later', lane: 'slow', delaySeconds: await delayAt(key, verdict.everyMs) };
    await sleep(lookAgainMs);
  }
  return { kind: 'later', lane, delaySeconds: busySeconds };
};
