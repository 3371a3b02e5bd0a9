import { idOfOrderNumber, orderNumberOf } from '../../shared/checkout/order-number.ts';
import { bkashGateway } from '../../shared/providers/gateways/bkash-fixture.ts';
import { sslcommerzGateway } from '../../shared/providers/gateways/sslcommerz-fixture.ts';
import { misreportAtBkash, misreportedAtSslcommerz, misreportOf } from './misreports.ts';
import { randomIn } from './random.ts';
import type { HttpCall } from './services.ts';
import type { World } from './world.ts';

export const gatewayUrls = { bkash: 'https://bkash.example.com', sslcommerz: 'https://sslcommerz.example.com' };

/** The methods of a merchant, as an operator wishes them. */
export const wishedMethods = [
  { gatewayCode: 'bkash', livemode: true, credentials: { username: 'u', password: 'p', appKey: 'k', appSecret: 's' } },
  { gatewayCode: 'sslcommerz', livemode: true, credentials: { storeId: 'store', storePassword: 'password' } },
  { gatewayCode: 'sim_card', livemode: false, credentials: {} },
] as const;

/** What gateways take, which may change. */
interface Shops {
  readonly bkash: Record<'username' | 'password' | 'appKey' | 'appSecret', string>;
  readonly sslcommerz: Record<'storeId' | 'storePassword', string>;
}

const [bkashMethod, sslcommerzMethod] = wishedMethods;
/** A bank takes longer than a queue of checks for a refund. */
const refundMs = { least: 60_000, more: 1_200_000 } as const;

const minorOf = (decimal: string | undefined): number => Math.round(100 * Number(decimal));
const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** What has become of a refund, as a person finds it at its gateway. */
export type RefundState = 'made' | 'under way' | 'not made';

/** The payment gateways of a world, with what their payers have paid and got back. `misreports`: not all that they say is what was asked. */
export const openGateways = ({ timeline, seed }: Pick<World, 'timeline' | 'seed'>, misreports: boolean) => {
  const random = randomIn(seed, 'gateways');
  const worldAt = (url: string) => ({
    url: () => url,
    nowMs: timeline.nowMs,
    idOf: (prefix: string) => `${prefix}${random.bytes(6).toString('hex').toUpperCase()}`,
  });
  const credentials: Shops = { bkash: { ...bkashMethod.credentials }, sslcommerz: { ...sslcommerzMethod.credentials } };
  const bkash = bkashGateway(credentials.bkash, worldAt(gatewayUrls.bkash));
  const sslcommerz = sslcommerzGateway(credentials.sslcommerz, worldAt(gatewayUrls.sslcommerz));

  const paidAtBkash = (paymentId: string) =>
    bkash.payments().filter(({ invoice, trxID }) => invoice === orderNumberOf(paymentId) && trxID !== undefined);

  const paidAtSslcommerz = (paymentId: string) =>
    sslcommerz.triesOf(orderNumberOf(paymentId)).filter(({ status }) => status === 'VALID');

  const takings = new Map<string, number>();
  const noteTaking = (paymentId: string): void => {
    if (!takings.has(paymentId)) takings.set(paymentId, timeline.nowMs());
  };
  /** At bKash, money moves while it answers. */
  const noteTakingsAtBkash = (): void => {
    for (const { invoice, trxID } of bkash.payments())
      if (trxID !== undefined) noteTaking(idOfOrderNumber(invoice) ?? '');
  };

  const misreport = (paymentId: string) => (misreports ? misreportOf(seed, paymentId) : undefined);

  return {
    misreports,

    /** The payer agrees to pay at bKash. */
    approve: (paymentID: string): void => {
      const payment = bkash.payment(paymentID);
      misreportAtBkash(payment, misreport(idOfOrderNumber(payment.invoice) ?? ''));
      bkash.approve(paymentID);
    },

    /** A payer's try to pay at SSLCommerz. Gives the form that reports it. */
    attempt: (paymentId: string, status: string, isPlain = false): string => {
      if (status === 'VALID') noteTaking(paymentId);
      const wishes = misreportedAtSslcommerz(isPlain || status !== 'VALID' ? undefined : misreport(paymentId));
      return sslcommerz.attempt(orderNumberOf(paymentId), status, wishes);
    },

    bkash,
    sslcommerz,
    /** What lets merchants in. */
    credentials,

    /** The passwords before are worth nothing from now on. */
    changePasswords: (to: string): void => {
      credentials.bkash.password = to;
      credentials.sslcommerz.storePassword = to;
    },

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
      noteTakingsAtBkash();
      // A refund that was taken up without a name cannot be asked about.
      const isNameless = misreports && url.includes('refund_trans_id') && random.isChance(0.4);
      return { statusCode, body: JSON.stringify(isNameless ? { ...Object(json), refund_ref_id: '' } : json) };
    },

    /** What was taken for a payment, each time that it was. */
    taken: (paymentId: string): readonly number[] => [
      ...paidAtBkash(paymentId).map(({ amount }) => minorOf(amount)),
      ...paidAtSslcommerz(paymentId).map(({ amount }) => minorOf(amount)),
    ],

    /** When money was taken for a payment first. Undefined: never. */
    takenMs: (paymentId: string): number | undefined => takings.get(paymentId),

    /** Has the gateway annul what was paid, at a person's word: it never was paid. */
    annul: (paymentId: string): void => {
      for (const payment of paidAtBkash(paymentId))
        Object.assign(bkash.payment(payment.paymentID), { status: 'Cancelled', trxID: undefined });
      for (const each of paidAtSslcommerz(paymentId)) each['status'] = 'FAILED';
    },

    /** What a person finds out about a refund by its number. */
    refundState: (paymentId: string, refundId: string): RefundState => {
      const number = orderNumberOf(refundId);
      if (bkash.hasRefunded(number)) return 'made';
      const found = sslcommerz.refundsOf(orderNumberOf(paymentId)).find((one) => one['refund_trans_id'] === number);
      if (found?.['status'] === 'processing') return 'under way';
      return found?.['status'] === 'refunded' ? 'made' : 'not made';
    },

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
