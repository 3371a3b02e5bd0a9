import { timeOfId } from '../../shared/kit/id.ts';
import { hourMs, minuteMs } from '../../shared/kit/time-units.ts';
import type { Invariant } from './invariants.ts';
import { type Kind, livesIn } from './lives.ts';
import { stormsIn } from './storms.ts';
import type { World } from './world.ts';

const refunds: Kind = { entity: 'refund', idOf: ({ refund }) => String(refund) };
const payments: Kind = { entity: 'payment', idOf: ({ payment }) => String(payment) };
/** When a gateway is asked about a payment, after it began. */
const checksMs = [1, 6, 24, 72].map((hours) => hours * hourMs);
/** The job of a check comes back for as long as calls of it fail. */
const checkedWithinMs = hourMs;

/** When a gateway is asked about a refund, after it was asked for: more often in the minutes before, and less often later. */
const refundChecksMs = [1, 6, 24, 72].map((hours) => hours * hourMs);

/** Whether a check that is due then reaches its gateway. */
const reaches =
  ({ fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }) =>
  (dueMs: number): boolean =>
    dueMs + checkedWithinMs < fromMs || dueMs > toMs;

/** Whether calls fail at some time until a check that is due then has been made. */
const isStormyAt = ({ seed, startMs }: World): ((dueMs: number) => boolean) => {
  const isStormy = stormsIn(seed, startMs);
  const minutes = Array.from({ length: 15 }, (_, minute) => minute * minuteMs);
  return (dueMs) => minutes.some((ms) => isStormy(dueMs + ms));
};

export const lateMoneyInvariants: readonly Invariant[] = [
  {
    name: 'money that comes within 72 hours is found by the next check that reaches the gateway, or a person is told after the last',
    violations: ({ world, days }) => {
      const lateMoney = days?.lateMoney;
      if (!lateMoney) return [];
      const isCalmAll = !world.machine.faultsMet.some((fault) => fault.startsWith('checkout/work-payments'));
      return [...livesIn(world, payments)].flatMap(([id, spans]) => {
        const takenMs = lateMoney.checkout.gateways.takenMs(id) ?? Number.POSITIVE_INFINITY;
        const foundMs = spans.find(({ item }) => item['status'] === 'SUCCEEDED')?.fromMs ?? Number.POSITIVE_INFINITY;
        const checks = checksMs.map((ms) => timeOfId(id) + ms).filter((ms) => takenMs < ms);
        const [reachingMs] = checks.filter(reaches(lateMoney.outage));
        const isCalm = isCalmAll && reachingMs !== undefined;
        const byMs = isCalm ? reachingMs : checks.at(-1);
        const isTold = !isCalm && world.alarms.some((line) => line.includes(id));
        return byMs === undefined || foundMs <= byMs + checkedWithinMs || isTold
          ? []
          : [`payment ${id} was paid at ${takenMs}, was to be found at ${byMs}, and was at ${foundMs}`];
      });
    },
  },
  {
    name: 'a refund that bKash cannot take, because it is out of order, is made by the next check that reaches it',
    violations: ({ world, days }) => {
      const outage = days?.lateMoney?.outage;
      if (!outage) return [];
      const [isReached, isStormy] = [reaches(outage), isStormyAt(world)];
      return [...livesIn(world, refunds)].flatMap(([id, spans]) => {
        const askedMs = timeOfId(id);
        const [payment] = livesIn(world, payments).get(String(spans[0]?.item['payment'])) ?? [];
        if (payment?.item['gatewayCode'] !== 'bkash' || isReached(askedMs)) return [];
        const checks = refundChecksMs.map((ms) => askedMs + ms);
        const byMs = checks.find((ms) => isReached(ms) && !isStormy(ms)) ?? Number.POSITIVE_INFINITY;
        const overMs = spans.find(({ item }) => item['status'] !== 'PENDING')?.fromMs ?? Number.POSITIVE_INFINITY;
        return overMs <= byMs + checkedWithinMs
          ? []
          : [`refund ${id} was to be made by the check at ${byMs}, and was at ${overMs}`];
      });
    },
  },
];
