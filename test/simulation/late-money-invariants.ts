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
    name: 'money that comes within 72 hours is found by the next check after 1, 6, 24 or 72 hours',
    violations: ({ world, days }) => {
      const checkout = days?.lateMoney?.checkout;
      return [...(checkout ? livesIn(world, payments) : [])].flatMap(([id, spans]) => {
        const takenMs = checkout?.gateways.takenMs(id);
        const beganMs = timeOfId(id);
        const checkMs = checksMs.map((ms) => beganMs + ms).find((ms) => takenMs !== undefined && takenMs < ms);
        if (checkMs === undefined) return [];
        const foundMs = spans.find(({ item }) => item['status'] === 'SUCCEEDED')?.fromMs ?? Number.POSITIVE_INFINITY;
        return foundMs <= checkMs + checkedWithinMs
          ? []
          : [`payment ${id} was paid at ${takenMs}, was to be found at ${checkMs}, and was at ${foundMs}`];
      });
    },
  },
];
