import { expect } from 'vitest';
import { type Merchant, merchantOn, newMerchant } from '../checkout-merchant.ts';
import { inFull } from '../model-runs.ts';
import { soon } from '../soon.ts';
import type { TestStack } from '../test-stack.ts';
import type { Lane } from './lane.ts';

/** The required outcome of a payment, by its amount. */
const outcomes: Readonly<Record<number, string>> = {
  600000: 'SUCCEEDED',
  1001: 'FAILED',
  1003: 'SUCCEEDED',
  1004: 'SUCCEEDED',
};
const amounts = Object.keys(outcomes).map(Number);
const paymentsPerBurst = inFull ? 8 : amounts.length;
const refundedPayments = inFull ? 3 : 2;
const refundMinor = 50_000;

interface Payment {
  readonly id: string;
  readonly checkoutSessionId: string;
  readonly amountMinor: number;
  readonly refundableMinor: number;
  readonly status: string;
}

interface Session {
  readonly id: string;
  readonly amountMinor: number;
}

const dueOf = ({ id, amountMinor, status }: Payment): string => `payment.${status.toLowerCase()} ${id} ${amountMinor}`;

const sum = (values: readonly { readonly amountMinor: number }[]): number =>
  values.reduce((total, { amountMinor }) => total + amountMinor, 0);

const paymentsOf = async (merchant: Merchant): Promise<Payment[]> => (await merchant.report()).data;

/** Payments of all simulated amounts, and refunds of payments that have succeeded before. */
export const openPayments = async (stack: TestStack): Promise<Lane> => {
  const merchant = await newMerchant(stack);
  const { received, receiver } = await merchant.listen();
  const paid = await Array.fromAsync({ length: refundedPayments }, () => merchant.paid(600_000));
  const sessions: Session[] = paid.map(({ sessionId }) => ({ id: sessionId, amountMinor: 600_000 }));
  const seen = { payments: paid.map(({ paymentId }) => paymentId), refunds: [] as string[] };

  const refundsOf = async (ours: Merchant) =>
    (await Promise.all(paid.map(({ paymentId }) => ours.refunds(paymentId)))).flat();

  /** The events so far by delivery id: a repeated delivery counts once. */
  const events = (): string[] => {
    const bodies = new Map(received.map(({ headers, body }) => [headers['x-checkout-delivery'], body]));
    return [...bodies.values()]
      .map((body) => JSON.parse(body))
      .map(({ event, data }) => `${event} ${data.refundId ?? data.paymentId} ${data.amountMinor}`)
      .sort();
  };

  return {
    burst: (on) => {
      const ours = merchantOn(on, merchant);
      const pay = async (n: number): Promise<boolean> => {
        const amountMinor = amounts[n % amounts.length] ?? 0;
        const id = await ours.newSession(amountMinor);
        sessions.push({ id, amountMinor });
        const { status, body } = await ours.pay(id);
        if (status === 201) seen.payments.push(body.data.paymentId);
        return status === 201;
      };
      const refund = async (paymentId: string): Promise<boolean> => {
        const { status, body } = await ours.refund(paymentId, { amountMinor: refundMinor });
        if (status === 201) seen.refunds.push(body.data.id);
        return status === 201;
      };
      const calls = [
        ...Array.from({ length: paymentsPerBurst }, (_, n) => pay(n)),
        ...paid.flatMap(({ paymentId }) => [refund(paymentId), refund(paymentId)]),
      ];
      return calls.map((each) => each.catch(() => false));
    },

    heard: () => received.length,

    underWay: async (on) => {
      const ours = merchantOn(on, merchant);
      const payments = (await paymentsOf(ours)).filter(({ status }) => status === 'PENDING');
      const refunds = (await refundsOf(ours)).filter(({ status }) => status !== 'SUCCEEDED');
      return [...payments, ...refunds].map(({ amountMinor, status }) => `${amountMinor} ${status}`);
    },

    check: async (on) => {
      const ours = merchantOn(on, merchant);
      const all = await paymentsOf(ours);
      expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining(seen.payments));
      for (const { amountMinor, status } of all)
        expect([amountMinor, status]).toEqual([amountMinor, outcomes[amountMinor]]);
      const refunds = await refundsOf(ours);
      expect(refunds.map(({ id }) => id)).toEqual(expect.arrayContaining(seen.refunds));
      const refunded = refunds.map(({ id }) => `refund.succeeded ${id} ${refundMinor}`);
      await expect.poll(events, soon).toEqual([...all.map(dueOf), ...refunded].sort());

      const statuses = await Promise.all(sessions.map(async ({ id }) => (await ours.view(id))['status']));
      const completed = sessions.filter((_, n) => statuses[n] === 'COMPLETED');
      const succeeded = all.filter(({ status }) => status === 'SUCCEEDED');
      const paidFor = succeeded.map(({ checkoutSessionId }) => checkoutSessionId).sort();
      expect(paidFor).toEqual(completed.map(({ id }) => id).sort());
      expect(sum(succeeded)).toBe(sum(completed));
      const left = succeeded.reduce((total, { refundableMinor }) => total + refundableMinor, 0);
      expect(left + refundMinor * refunds.length).toBe(sum(succeeded));
    },

    close: () => receiver.close(),
  };
};
