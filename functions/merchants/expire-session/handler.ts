import type { CheckoutAddresses } from '../../../shared/checkout/addresses.ts';
import { expireNow } from '../../../shared/checkout/expire-now.ts';
import { ownOf } from '../../../shared/checkout/own.ts';
import type { PaymentResolver } from '../../../shared/checkout/resolve.ts';
import { sessionViewOf } from '../../../shared/checkout/session-view.ts';
import type { CheckoutCaller } from '../../../shared/http/checkout-surface.ts';
import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { Clock } from '../../../shared/kit/time.ts';
import type { MethodStore } from '../../../shared/table/checkout/method-store.ts';
import type { PaymentStore } from '../../../shared/table/checkout/payment-store.ts';
import type { SessionStore } from '../../../shared/table/checkout/session-store.ts';
import type { expireSessionContract } from './contract.ts';

export interface ExpireSessionNeeds {
  readonly sessions: Pick<SessionStore, 'find' | 'close' | 'expire'>;
  readonly payments: Pick<PaymentStore, 'find' | 'listOfSession'>;
  readonly methods: Pick<MethodStore, 'listKnown'>;
  readonly resolver: Pick<PaymentResolver, 'cancel'>;
  readonly addresses: Pick<CheckoutAddresses, 'page'>;
  readonly clock: Clock;
}

/** Expires a session of the caller’s account and mode before its time. */
export const expireSession =
  ({ sessions, payments, methods, resolver, addresses, clock }: ExpireSessionNeeds) =>
  async ({
    path,
    nowMs,
    ...caller
  }: RequestOf<typeof expireSessionContract> & CheckoutCaller): Promise<Reply<typeof expireSessionContract>> => {
    const found = existing('session_not_found', ownOf(caller, await sessions.find(path.id)));
    const ended = await expireNow({ sessions, payments, resolver, clock })(found);
    const [attempts, known] = await Promise.all([payments.listOfSession(ended), methods.listKnown(caller.account)]);
    return sessionViewOf(ended, attempts, { methods: known, addresses, nowMs });
  };
