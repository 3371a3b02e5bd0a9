import type { GatewayAdapter } from '../../checkout/gateway-adapter.ts';
import { simulatedAnswer, simulatedRefund } from '../../checkout/simulation.ts';
import type { Clock } from '../../kit/time.ts';

/** The gateway of test mode. It is stateless: the order and the time decide the outcome. */
export const simulatorAdapter = ({
  timeoutSeconds,
  clock,
}: {
  timeoutSeconds: number;
  clock: Clock;
}): GatewayAdapter => {
  const query: GatewayAdapter['query'] = async (order) => simulatedAnswer(order, timeoutSeconds, clock());
  const refund: GatewayAdapter['refund'] = async (_, wanted) => simulatedRefund(wanted);
  return {
    create: async ({ paymentId, returnUrl }) => ({ kind: 'opened', redirectUrl: returnUrl, reference: paymentId }),
    confirm: query,
    query,
    refund,
    queryRefund: refund,
    parseNotification: () => undefined,
  };
};
