import type { GatewayAdapter, Opening, Parameters } from '../shared/checkout/gateway-adapter.ts';
import type { GatewayAnswer } from '../shared/checkout/gateway-answer.ts';
import type { PaymentOrder } from '../shared/checkout/order.ts';

/** A gateway adapter with answers set by the test for each payment. It records its calls. */
export const scriptedGateway = () => {
  const answers = new Map<string, GatewayAnswer>();
  const openings: Opening[] = [];
  const confirmations: GatewayAnswer[] = [];
  const asked: { readonly call: string; readonly order: PaymentOrder; readonly parameters?: Parameters }[] = [];
  const query: GatewayAdapter['query'] = async (order) => {
    asked.push({ call: 'query', order });
    return answers.get(order.paymentId) ?? { state: 'pending' };
  };
  const refund: GatewayAdapter['refund'] = async (_, { amountMinor }) => ({ state: 'succeeded', amountMinor });
  const gateway: GatewayAdapter = {
    create: async (order) => {
      asked.push({ call: 'create', order });
      const reference = `ref-${order.paymentId}`;
      return openings.shift() ?? { kind: 'opened', redirectUrl: `https://gateway.example/${reference}`, reference };
    },
    confirm: async (order, parameters) => {
      asked.push({ call: 'confirm', order, parameters });
      return confirmations.shift() ?? answers.get(order.paymentId) ?? { state: 'pending' };
    },
    query,
    refund,
    queryRefund: refund,
    parseNotification: () => undefined,
  };
  return {
    gateway,
    asked,
    calls: () => asked.map(({ call }) => call),
    /** Its answer for a payment from now on. */
    answer: (paymentId: string, answer: GatewayAnswer) => void answers.set(paymentId, answer),
    /** The answers to the next openings and confirmations, in this order. */
    open: (...next: readonly Opening[]) => void openings.push(...next),
    confirm: (...next: readonly GatewayAnswer[]) => void confirmations.push(...next),
  };
};

/** The full, correct amount. */
export const paidAnswer = ({
  id,
  amountMinor,
  currency,
}: {
  id: string;
  amountMinor: number;
  currency: string;
}): GatewayAnswer => ({
  state: 'succeeded',
  amountMinor,
  currency,
  paymentId: id,
  transactionId: `trx-${id}`,
});
