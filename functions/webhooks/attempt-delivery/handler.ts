import type { Queue } from '../../../shared/aws/queue.ts';
import { causeOf, log } from '../../../shared/kit/log.ts';
import type { AttemptStore } from '../../../shared/table/webhooks/attempt-store.ts';
import type { PaceStore, Turn } from '../../../shared/table/webhooks/pace-store.ts';
import type { DeliveryJob } from '../../../shared/webhooks/jobs.ts';
import { goesOnForMs, isSlow, type Lane } from '../../../shared/webhooks/pace.ts';
import type { Guard } from '../../../shared/work/queue-worker.ts';
import { type AttemptOneNeeds, attemptOne } from './attempt-one.ts';
import { takeTurn } from './take-turn.ts';

export interface AttemptDeliveryNeeds extends AttemptOneNeeds {
  readonly attempts: Pick<AttemptStore, 'url' | 'load' | 'payload' | 'cancel' | 'record'>;
  readonly paces: Pick<PaceStore, 'enter' | 'leave' | 'appoint'>;
  readonly laneQueues: Readonly<Record<Lane, Queue<DeliveryJob>>>;
}

/**
 * Makes attempts of deliveries to one subscription, one after the other in one turn at it and at its host. Those that have no turn, or are left when
 * the turn has lasted long enough, come again: in the slow lane where the target takes long.
 */
export const attemptDelivery = ({ paces, laneQueues, ...needs }: AttemptDeliveryNeeds) => {
  const { clock } = needs;
  const attempt = attemptOne(needs);

  const sendAgain = async (jobs: readonly DeliveryJob[], lane: Lane, delaySeconds = 0): Promise<void> => {
    const again = jobs.map((job) => ({ ...job, lane }));
    if (again.length > 0) await laneQueues[lane].send(again, { delaySeconds });
  };

  /** A turn that cannot be released expires; that alone is no reason to repeat a delivery. */
  const leave = async (turns: readonly Turn[], longestMs: number): Promise<void> => {
    try {
      await paces.leave(turns, clock(), longestMs);
    } catch (thrown) {
      log('warn', 'turn not given back', causeOf(thrown));
    }
  };

  return async (line: readonly DeliveryJob[], guard: Guard<DeliveryJob>): Promise<void> => {
    const [first] = line;
    if (!first) return;
    const url = await needs.attempts.url(first);
    if (url === undefined) return;
    const taken = await takeTurn(paces, first, url, clock);
    if (taken.kind === 'later') return sendAgain(line, taken.lane, taken.delaySeconds);
    const endMs = clock() + goesOnForMs[first.lane];
    let longestMs = 0;
    let done = 0;
    for (const job of line) {
      if (done > 0 && clock() >= endMs) break;
      longestMs = Math.max(longestMs, (await guard(job, () => attempt(job))) ?? 0);
      done += 1;
    }
    await leave(taken.turns, longestMs);
    await sendAgain(line.slice(done), isSlow(longestMs) ? 'slow' : first.lane);
  };
};
