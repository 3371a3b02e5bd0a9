import { refundPaymentContract } from '../../functions/merchants/refund-payment/contract.ts';
import { refundPayment } from '../../functions/merchants/refund-payment/handler.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { newId } from '../../shared/kit/id.ts';
import type { Clock } from '../../shared/kit/time.ts';
import { call } from '../call.ts';
import { checkoutCalls, type Merchant } from '../checkout-calls.ts';
import type { World } from '../world.ts';
import type { Flow } from './flow.ts';
import type { StepMeter } from './step-meter.ts';
import type { Traffic } from './traffic.ts';

const subscription = {
  ...{ name: 'Orders', url: 'https://shop.example.com/hooks', isActive: true },
  events: ['payment.succeeded', 'refund.succeeded'],
};

/** Payments and refunds at the simulator, which settles them at once, until the webhook of the merchant has its event. */
export const paymentTraffic = (world: World, meter: StepMeter, flow: Flow, clock: Clock): readonly Traffic[] => {
  const checkout = checkoutCalls(world, clock);
  const refund = endpoint(refundPaymentContract, refundPayment(world), world.checkoutCallers('secret'), clock);

  const newMerchant = async (): Promise<Merchant> => {
    const merchant = await checkout.newMerchant();
    await world.checkoutWebhooks.create(merchant.ref, newId(Date.now()), subscription, { secret: 's', most: 20 });
    return merchant;
  };

  /** Payments of sessions that are there. */
  const pay = async ({ key, methodIds: [method] }: Merchant, count: number): Promise<readonly string[]> => {
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) {
      const session = (await checkout.create(key)).body.data.id;
      await meter.step({ does: 'checkout/begin-payment', invocations: 1, jobs: 1, isRequest: true }, async () => {
        ids.push((await checkout.pay(session, method)).body.data.paymentId);
      });
    }
    return ids;
  };

  return [
    {
      name: 'a payment until its webhook',
      open: async () => {
        const merchant = await newMerchant();
        return async (count) => void (await pay(merchant, count));
      },
    },
    {
      name: 'a refund until its webhook',
      open: async () => {
        const merchant = await newMerchant();
        const headers = { authorization: `Bearer ${merchant.key}` };
        return async (count, batch) => {
          const payments = await pay(merchant, count);
          await flow.drain(batch);
          meter.take();
          for (const id of payments)
            await meter.step({ does: 'merchants/refund-payment', invocations: 1, jobs: 1, isRequest: true }, () =>
              call(refund, { headers, path: { id }, body: {} }),
            );
        };
      },
    },
  ];
};
