import type { Queue } from '../../../shared/aws/queue.ts';
import type { Paces } from '../../../shared/table/pace-storage.ts';
import type { DeliveryJob } from '../../../shared/webhooks/jobs.ts';
import { goesOnForMs } from '../../../shared/webhooks/pace.ts';
import type { Guard } from '../../../shared/work/queue-worker.ts';
import { type AttemptOneNeeds, attemptOne } from './attempt-one.ts';
import { takeTurn } from './take-turn.ts';

export interface AttemptDeliveryNeeds extends AttemptOneNeeds {
  readonly paces: Pick<Paces, 'enter' | 'leave' | 'appoint'>;
  readonly slowWebhookDeliveries: Queue<DeliveryJob>;
}

/**
 * Makes attempts of deliveries to one subscription, one after the other in one turn at its target. Where there is no turn to be had, or the
 * target takes long, those that are left come again in the slow lane.
 */
export const attemptDelivery = ({ paces, slowWebhookDeliveries, ...needs }: AttemptDeliveryNeeds) => {
  const { clock } = needs;
  const attempt = attemptOne(needs);

  const sendLater = async (jobs: readonly DeliveryJob[], delaySeconds = 0): Promise<void> => {
    if (jobs.length > 0)
      await slowWebhookDeliveries.send(
        jobs.map((job) => ({ ...job, lane: 'slow' })),
        { delaySeconds },
      );
  };

  return async (line: readonly DeliveryJob[], guard: Guard<DeliveryJob>): Promise<void> => {
    const [first, ...others] = line;
    if (!first) return;
    const taken = await takeTurn(paces, first, clock);
    if (taken.kind === 'later') return sendLater(line, taken.delaySeconds);
    const endMs = clock() + goesOnForMs[first.lane];
    const left = [...others];
    let longestMs = 0;
    for (let job: DeliveryJob | undefined = first; job; job = clock() < endMs ? left.shift() : undefined) {
      const current: DeliveryJob = job;
      longestMs = Math.max(longestMs, (await guard(current, () => attempt(current))) ?? 0);
    }
    await paces.leave(taken.turn, clock(), longestMs);
    await sendLater(left);
  };
};
