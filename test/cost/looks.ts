import { sweepDue } from '../../functions/checkout/work-payments/sweep-due.ts';
import { findStranded } from '../../functions/chores/do-chore/find-stranded.ts';
import { sweepDue as sweepScheduled } from '../../functions/messages/send-scheduled/sweep-due.ts';
import type { StrandedJob } from '../../shared/chores/stranded.ts';
import { hourMs, minuteMs } from '../../shared/kit/time-units.ts';
import { countConsumption } from '../consumption.ts';
import { startList } from '../webhook-calls.ts';
import { startWorld } from '../world.ts';

/** Lambda ends a process every few hours, also of a function that is busy (Lambda developer guide, “Execution environment lifecycle”). */
const hours = 4;

/** What the jobs of schedules read in an hour of a process in which nothing waits: the number of index partitions, and the units of the table. */
export const measureLooks = async (): Promise<{ readonly looks: number; readonly units: number }> => {
  const world = await startWorld();
  const startMs = Date.parse('2026-11-20T12:00:00.000Z');
  let nowMs = startMs;
  const ofCheckout = sweepDue({ ...world, paymentsQueue: startList(), lifetimeSeconds: 86_400 });
  const ofMessaging = sweepScheduled({ ...world, scheduledQueue: startList(), clock: () => nowMs });
  const strandedWorkQueue = startList<StrandedJob>();
  const round = findStranded({
    ...{ ...world, strandedWorkQueue, webhookDeliveriesQueue: startList() },
    ...{ interruptedSendsQueue: startList(), textQueues: { sms: startList(), whatsapp: startList() } },
  });
  // Without what a client repeats while the machine is slow.
  const { calls, units } = await countConsumption(world.calls).of(async () => {
    for (; nowMs < startMs + hours * hourMs; nowMs += minuteMs) {
      if ((nowMs - startMs) % hourMs === 0) {
        await round({}, nowMs);
        for (const job of strandedWorkQueue.jobs.splice(0)) await round(job, nowMs);
      }
      await ofCheckout({ kind: 'sweep' }, nowMs);
      await ofMessaging({ kind: 'sweep' });
    }
  });
  await world.close();
  return { looks: calls / hours, units: units / hours };
};
