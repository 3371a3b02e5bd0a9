import { beginPaymentContract } from '../functions/checkout/begin-payment/contract.ts';
import { beginPayment } from '../functions/checkout/begin-payment/handler.ts';
import { createSessionContract } from '../functions/checkout/create-session/contract.ts';
import { createSession } from '../functions/checkout/create-session/handler.ts';
import { getSessionContract } from '../functions/checkout/get-session/contract.ts';
import { getSession } from '../functions/checkout/get-session/handler.ts';
import { getSessionStatusContract } from '../functions/checkout/get-session-status/contract.ts';
import { getSessionStatus } from '../functions/checkout/get-session-status/handler.ts';
import type { AccountSettings } from '../shared/accounts/account.ts';
import { checkoutAddresses } from '../shared/checkout/addresses.ts';
import type { FindAdapter } from '../shared/checkout/gateway-adapter.ts';
import type { MethodWish } from '../shared/checkout/methods.ts';
import type { PaymentJob } from '../shared/checkout/payment-job.ts';
import { paymentResolver } from '../shared/checkout/resolve.ts';
import { isSimulated } from '../shared/checkout/simulation.ts';
import { endpoint } from '../shared/http/endpoint.ts';
import { keylessSurface } from '../shared/http/keyless-surface.ts';
import { checkoutFaults } from '../shared/http/surface.ts';
import type { AccountRef } from '../shared/kit/account-ref.ts';
import { newId } from '../shared/kit/id.ts';
import type { Clock } from '../shared/kit/time.ts';
import { simulatorAdapter } from '../shared/providers/gateways/simulator.ts';
import { call } from './call.ts';
import { startList } from './webhook-calls.ts';
import type { World } from './world.ts';

const simulatorSeconds = 60;

interface MerchantWishes {
  readonly settings?: Partial<AccountSettings>;
  readonly methods?: readonly Partial<MethodWish>[];
}

/** A merchant with a test key and a simulated card by default. */
export interface Merchant {
  readonly ref: AccountRef;
  readonly key: string;
  readonly methodIds: readonly string[];
}

/** Checkout calls at a given time, for tests. Payers are not rate-limited. */
export const checkoutCalls = (world: World, clock: Clock = Date.now) => {
  const addresses = checkoutAddresses('https://pay.example');
  const simulated = simulatorAdapter({ timeoutSeconds: simulatorSeconds, clock });
  const findAdapter: FindAdapter = async (_, payment) => (isSimulated(payment) ? simulated : undefined);
  const resolver = paymentResolver({ ...world, findAdapter, addresses });
  const paymentsQueue = startList<PaymentJob>();
  const payers = { ...keylessSurface, ...checkoutFaults };
  const createHandler = endpoint(
    createSessionContract,
    createSession({ ...world, addresses, lifetimeSeconds: 86_400 }),
    world.checkoutCallers(),
    clock,
  );
  const body = { amountMinor: 600_000, currency: 'BDT' };

  return {
    addresses,
    findAdapter,
    resolver,
    /** The jobs that the endpoints have queued. */
    paymentsQueue,

    newMerchant: async ({ settings = {}, methods = [{}] }: MerchantWishes = {}): Promise<Merchant> => {
      const { ref } = await world.newAccount({ settings });
      const wishes = methods.map((wish, n) => ({
        gatewayCode: 'sim_card' as const,
        displayLabel: `Method ${n}`,
        livemode: false,
        enabled: true,
        sortOrder: n,
        ...wish,
      }));
      const kept = await world.methods.replace(ref, wishes, newId(Date.now()));
      return { ref, key: await world.newCheckoutKey(ref), methodIds: kept.map(({ id }) => id) };
    },

    /** Freezes a merchant's account, as an operator does. */
    freeze: async ({ id }: AccountRef): Promise<void> => {
      const account = await world.accounts.find(id);
      if (account) await world.accounts.save(account, { ...account, status: 'frozen' }, Date.now());
    },

    create: (key: string, wishes: unknown = {}, headers: Readonly<Record<string, string>> = {}) =>
      call(createHandler, {
        headers: { authorization: `Bearer ${key}`, ...headers },
        body: typeof wishes === 'object' && !Array.isArray(wishes) ? { ...body, ...wishes } : wishes,
      }),

    view: (id: string) => call(endpoint(getSessionContract, getSession(world), payers, clock), { path: { id } }),

    poll: (id: string) =>
      call(
        endpoint(
          getSessionStatusContract,
          getSessionStatus({ payments: world.payments, sessions: world.sessions, resolver, paymentsQueue }),
          payers,
          clock,
        ),
        { path: { id } },
      ),

    pay: (id: string, acceptanceMethodId: unknown) =>
      call(endpoint(beginPaymentContract, beginPayment({ ...world, resolver, addresses, clock }), payers, clock), {
        path: { id },
        body: { acceptanceMethodId },
      }),
  };
};

export type CheckoutCalls = ReturnType<typeof checkoutCalls>;
