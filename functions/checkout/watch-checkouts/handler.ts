import * as z from 'zod';
import type { Queue } from '../../../shared/aws/queue.ts';
import type { LateQueue } from '../../../shared/aws/schedule.ts';
import { nextCheck } from '../../../shared/checkout/checks.ts';
import { chaosKinds } from '../../../shared/checkout/gateway-answer.ts';
import type { PaymentJob } from '../../../shared/checkout/jobs.ts';
import { isSimulated } from '../../../shared/checkout/simulation.ts';
import { timeOfId } from '../../../shared/kit/id.ts';
import type { Change } from '../../../shared/work/stream-reader.ts';

export interface WatchCheckoutsNeeds {
  readonly paymentsQueue: Queue<PaymentJob>;
  readonly latePaymentsQueue: LateQueue<PaymentJob>;
  readonly simulatorSeconds: number;
}

const row = z.discriminatedUnion('entity', [
  z.object({ entity: z.literal('checkout-session'), session: z.string(), expiresMs: z.number() }),
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

/** Queues the work for a new session, payment or refund: at once, and later checks for lost callbacks. */
export const watchCheckouts =
  ({ paymentsQueue, latePaymentsQueue, simulatorSeconds }: WatchCheckoutsNeeds) =>
  async (changes: readonly Change[], nowMs: number): Promise<void> => {
    const rows = changes.map(({ after }) => row.parse(after));
    await paymentsQueue.send(rows.flatMap(jobsNow));
    for (const each of rows) {
      const later = jobLater(each, simulatorSeconds, nowMs);
      if (later) await latePaymentsQueue.sendAt(later.job, { ...later, nowMs });
    }
  };

const jobsNow = (made: Row): PaymentJob[] => {
  const { entity, session } = made;
  if (entity === 'checkout-session') return [];
  if (entity === 'refund') return [{ kind: 'refund', session, refund: made.refund }];
  const { payment } = made;
  if (!isSimulated(made)) return [{ kind: 'open', session, payment, attempt: 1 }];
  return Array.from({ length: made.chaos === 'duplicate_notification' ? 3 : 0 }, () => ({
    kind: 'resolve',
    session,
    payment,
  }));
};

const jobLater = (
  made: Row,
  simulatorSeconds: number,
  nowMs: number,
): { readonly job: PaymentJob; readonly dueMs: number; readonly name: string } | undefined => {
  const { entity, session } = made;
  if (entity === 'refund') return undefined;
  if (entity === 'checkout-session')
    return { job: { kind: 'expire', session }, dueMs: made.expiresMs, name: `checkout-expire-${session}` };
  const check = firstCheck(made, simulatorSeconds, nowMs);
  const job: PaymentJob = { kind: 'resolve', session, payment: made.payment, check: check?.number };
  return check && { job, dueMs: check.dueMs, name: `checkout-check-${made.payment}-${check.number}` };
};

const firstCheck = (made: PaymentRow, simulatorSeconds: number, nowMs: number) => {
  const payment = { ...made, chaos: made.chaos, createdMs: timeOfId(made.payment) };
  return nextCheck(payment, { after: undefined, nowMs, simulatorSeconds });
};
