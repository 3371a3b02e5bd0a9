import type { CheckoutAddresses } from '../../../shared/checkout/addresses.ts';
import { type BeginPaymentOfNeeds, beginPaymentOf } from '../../../shared/checkout/begin-payment.ts';
import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { SessionStore } from '../../../shared/table/checkout/session-store.ts';
import type { beginPaymentContract } from './contract.ts';

export interface BeginPaymentNeeds extends BeginPaymentOfNeeds {
  readonly sessions: Pick<SessionStore, 'find'>;
  readonly addresses: Pick<CheckoutAddresses, 'next'>;
}

/** Begins a payment with the method that the payer chose, and returns where they go next. */
export const beginPayment =
  (needs: BeginPaymentNeeds) =>
  async ({
    path,
    body: { acceptanceMethodId },
    newId,
    nowMs,
  }: RequestOf<typeof beginPaymentContract>): Promise<Reply<typeof beginPaymentContract>> => {
    const found = existing('session_not_found', await needs.sessions.find(path.id));
    const { session, payment } = await beginPaymentOf(needs)(found, { acceptanceMethodId, paymentId: newId });
    return {
      paymentId: payment.id,
      status: payment.status,
      redirectUrl: needs.addresses.next(session, payment, nowMs),
    };
  };
