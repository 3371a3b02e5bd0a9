import { orderNumberOf } from '../../shared/checkout/order-number.ts';
import { bkashGateway } from '../../shared/providers/gateways/bkash-fixture.ts';
import { sslcommerzGateway } from '../../shared/providers/gateways/sslcommerz-fixture.ts';
import { hashOf, randomOf } from './random.ts';
import type { HttpCall } from './services.ts';
import type { World } from './world.ts';

export const gatewayUrls = { bkash: 'https://bkash.example.com', sslcommerz: 'https://sslcommerz.example.com' };

/** The methods of a merchant, as an operator wishes them. */
export const wishedMethods = [
  { gatewayCode: 'bkash', livemode: true, credentials: { username: 'u', password: 'p', appKey: 'k', appSecret: 's' } },
  { gatewayCode: 'sslcommerz', livemode: true, credentials: { storeId: 'store', storePassword: 'password' } },
  { gatewayCode: 'sim_card', livemode: false, credentials: {} },
] as const;

const [bkashMethod, sslcommerzMethod] = wishedMethods;
/** A bank takes longer than a queue of checks for a refund. */
const refundMs = { least: 60_000, more: 1_200_000 } as const;

const minorOf = (decimal: string | undefined): number => Math.round(100 * Number(decimal));
const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** The payment gateways of a world, with what their payers have paid and got back. */
export const openGateways = ({ timeline, seed }: Pick<World, 'timeline' | 'seed'>) => {
  const random = randomOf(hashOf(seed, 'gateways'));
  const worldAt = (url: string) => ({
    url: () => url,
    nowMs: timeline.nowMs,
    idOf: (prefix: string) => `${prefix}${random.bytes(6).toString('hex').toUpperCase()}`,
  });
  const bkash = bkashGateway(bkashMethod.credentials, worldAt(gatewayUrls.bkash));
  const sslcommerz = sslcommerzGateway(sslcommerzMethod.credentials, worldAt(gatewayUrls.sslcommerz));

  const paidAtBkash = (paymentId: string) =>
    bkash.payments().filter(({ invoice, trxID }) => invoice === orderNumberOf(paymentId) && trxID !== undefined);

  return {
    bkash,
    sslcommerz,

    /** The answer of the gateway whose host is asked; undefined: it is none. */
    answer: ({ url, headers, body }: HttpCall): { readonly statusCode: number; readonly body: string } | undefined => {
      const { origin, pathname } = new URL(url);
      const gateway = Object.entries({ bkash, sslcommerz }).find(
        ([name]) => origin === Reflect.get(gatewayUrls, name),
      )?.[1];
      if (!gateway) return undefined;
      const small = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
      if (url.includes('refund_trans_id'))
        timeline.after(refundMs.least + random.below(refundMs.more), () =>
          sslcommerz.endRefunds(random.isChance(0.2) ? 'cancelled' : 'refunded', 'processing'),
        );
      const { status: statusCode = 200, json }: { status?: number; json: unknown } = gateway.answer(
        { url, headers: small, body },
        pathname,
      );
      return { statusCode, body: JSON.stringify(json) };
    },

    /** What was taken for a payment, each time that it was. */
    taken: (paymentId: string): readonly number[] => [
      ...paidAtBkash(paymentId).map(({ amount }) => minorOf(amount)),
      ...sslcommerz
        .triesOf(orderNumberOf(paymentId))
        .filter(({ status }) => status === 'VALID')
        .map(({ amount }) => minorOf(amount)),
    ],

    /** What went back of a payment, or is on its way. */
    givenBackMinor: (paymentId: string): number =>
      sum([
        ...paidAtBkash(paymentId).flatMap(({ paymentID }) =>
          bkash.refundsOf(paymentID).map(({ refundAmount }) => minorOf(refundAmount)),
        ),
        ...sslcommerz
          .refundsOf(orderNumberOf(paymentId))
          .filter(({ status }) => status !== 'cancelled')
          .map(({ refund_amount: amount }) => minorOf(amount)),
      ]),
  };
};

export type Gateways = ReturnType<typeof openGateways>;
