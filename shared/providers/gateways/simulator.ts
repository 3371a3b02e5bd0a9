import { simulatedAnswer, simulatedRefund } from '../../checkout/simulation.ts';
import type { Clock } from '../../kit/time.ts';
import type { Gateway } from './gateway.ts';

/** The gateway of test mode. It keeps nothing: the order and the time say what has become of a payment. */
export const simulator = ({ timeoutSeconds, clock }: { timeoutSeconds: number; clock: Clock }): Gateway => {
  const query: Gateway['query'] = async (order) => simulatedAnswer(order, timeoutSeconds, clock());
  const refund: Gateway['refund'] = async (_, wanted) => simulatedRefund(wanted);
  return {
    create: async ({ paymentId, returnUrl }) => ({ kind: 'opened', redirectUrl: returnUrl, reference: paymentId }),
    confirm: query,
    query,
    refund,
    queryRefund: refund,
    parseNotification: () => undefined,
  };
};
