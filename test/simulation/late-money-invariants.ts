import { timeOfId } from '../../shared/kit/id.ts';
import { hourMs } from '../../shared/kit/time-units.ts';
import type { Invariant } from './invariants.ts';
import { type Kind, livesIn } from './lives.ts';

const payments: Kind = { entity: 'payment', idOf: ({ payment }) => String(payment) };
/** When a gateway is asked about a payment, after it began. */
const checksMs = [1, 6, 24, 72].map((hours) => hours * hourMs);
/** The job of a check comes back for as long as calls of it fail. */
const checkedWithinMs = hourMs;

export const lateMoneyInvariants: readonly Invariant[] = [
  {
    name: 'money that comes within 72 hours is found by the next check that reaches the gateway, or a person is told after the last',
    violations: ({ world, days }) => {
      const checkout = days?.lateMoney?.checkout;
      const isCalm = !world.machine.faultsMet.some((fault) => fault.startsWith('checkout/work-payments'));
      return [...(checkout ? livesIn(world, payments) : [])].flatMap(([id, spans]) => {
        const takenMs = checkout?.gateways.takenMs(id) ?? Number.POSITIVE_INFINITY;
        const foundMs = spans.find(({ item }) => item['status'] === 'SUCCEEDED')?.fromMs ?? Number.POSITIVE_INFINITY;
        const checks = checksMs.map((ms) => timeOfId(id) + ms).filter((ms) => takenMs < ms);
        const byMs = isCalm ? checks[0] : checks.at(-1);
        const isTold = !isCalm && world.alarms.some((line) => line.includes(id));
        return byMs === undefined || foundMs <= byMs + checkedWithinMs || isTold
          ? []
          : [`payment ${id} was paid at ${takenMs}, was to be found at ${byMs}, and was at ${foundMs}`];
      });
    },
  },
];
