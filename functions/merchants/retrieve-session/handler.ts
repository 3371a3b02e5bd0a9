import type { CheckoutAddresses } from '../../../shared/checkout/addresses.ts';
import { ownOf } from '../../../shared/checkout/own.ts';
import { sessionViewOf } from '../../../shared/checkout/session-view.ts';
import type { CheckoutCaller } from '../../../shared/http/checkout-surface.ts';
import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { MethodStore } from '../../../shared/table/checkout/method-store.ts';
import type { PaymentStore } from '../../../shared/table/checkout/payment-store.ts';
import type { SessionStore } from '../../../shared/table/checkout/session-store.ts';
import type { retrieveSessionContract } from './contract.ts';

export interface RetrieveSessionNeeds {
  readonly sessions: Pick<SessionStore, 'find'>;
  readonly payments: Pick<PaymentStore, 'listOfSession'>;
  readonly methods: Pick<MethodStore, 'listKnown'>;
  readonly addresses: Pick<CheckoutAddresses, 'page'>;
}

/** A session of the caller’s account and mode, as it is now. */
export const retrieveSession =
  ({ sessions, payments, methods, addresses }: RetrieveSessionNeeds) =>
  async ({
    path,
    nowMs,
    ...caller
  }: RequestOf<typeof retrieveSessionContract> & CheckoutCaller): Promise<Reply<typeof retrieveSessionContract>> => {
    const found = existing('session_not_found', ownOf(caller, await sessions.find(path.id)));
    const [attempts, known] = await Promise.all([payments.listOfSession(found), methods.listKnown(caller.account)]);
    return sessionViewOf(found, attempts, { methods: known, addresses, nowMs });
  };
