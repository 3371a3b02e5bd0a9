import * as z from 'zod';
import type { Queue } from '../../../shared/aws/queue.ts';
import { nextCheck } from '../../../shared/checkout/checks.ts';
import { chaosKinds } from '../../../shared/checkout/gateway-answer.ts';
import type { PaymentJob } from '../../../shared/checkout/jobs.ts';
import { isSimulated } from '../../../shared/checkout/simulation.ts';
import { timeOfId } from '../../../shared/kit/id.ts';
import { delayUntil } from '../../../shared/kit/time.ts';
import type { Change } from '../../../shared/work/stream-reader.ts';

export interface WatchCheckoutsNeeds {
  readonly paymentsQueue: Queue<PaymentJob>;
  readonly simulatorSeconds: number;
}

const row = z.discriminatedUnion('entity', [
  z.object({
    entity: z.literal('payment'),
    session: z.string(),
    payment: z.string(),
    gatewayCode: z.string(),
    amountMinor: z.number(),
    chaos: z.enum(chaosKinds).optional(),
  }),
  z.object({ entity: z.literal('refund'), session: z.string(), refund: z.string() }),
]);

type Row = z.output<typeof row>;
type PaymentRow = Extract<Row, { readonly entity: 'payment' }>;

/** Queues the work for a new payment or refund: at once, and the first check for a lost callback. */
export const watchCheckouts =
  ({ paymentsQueue, simulatorSeconds }: WatchCheckoutsNeeds) =>
  async (changes: readonly Change[], nowMs: number): Promise<void> => {
    const rows = changes.map(({ after }) => row.parse(after));
    await paymentsQueue.send(rows.flatMap(jobsNow));
    for (const each of rows) {
      const check = each.entity === 'payment' && firstCheck(each, simulatorSeconds, nowMs);
      if (!check) continue;
      const { session, payment } = each;
      await paymentsQueue.send(
        [{ kind: 'resolve', session, payment, check: check.number }],
        delayUntil(check.dueMs, nowMs),
      );
    }
  };

const jobsNow = (made: Row): PaymentJob[] => {
  const { entity, session } = made;
  if (entity === 'refund') return [{ kind: 'refund', session, refund: made.refund }];
  const { payment } = made;
  if (!isSimulated(made)) return [{ kind: 'open', session, payment, attempt: 1 }];
  return Array.from({ length: made.chaos === 'duplicate_notification' ? 3 : 0 }, () => ({
    kind: 'resolve',
    session,
    payment,
  }));
};

const firstCheck = (made: PaymentRow, simulatorSeconds: number, nowMs: number) => {
  const payment = { ...made, chaos: made.chaos, createdMs: timeOfId(made.payment) };
  return nextCheck(payment, { after: undefined, nowMs, simulatorSeconds });
};
