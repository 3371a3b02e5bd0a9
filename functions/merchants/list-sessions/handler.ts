import type { CheckoutAddresses } from '../../../shared/checkout/addresses.ts';
import { statusAt } from '../../../shared/checkout/session-status.ts';
import { sessionViewOf } from '../../../shared/checkout/session-view.ts';
import type { CheckoutCaller } from '../../../shared/http/checkout-surface.ts';
import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { fittingPage } from '../../../shared/kit/cursor-page.ts';
import type { MethodStore } from '../../../shared/table/checkout/method-store.ts';
import type { PaymentStore } from '../../../shared/table/checkout/payment-store.ts';
import type { SessionStore } from '../../../shared/table/checkout/session-store.ts';
import type { listSessionsContract } from './contract.ts';

export interface ListSessionsNeeds {
  readonly sessions: Pick<SessionStore, 'listOfAccount'>;
  readonly payments: Pick<PaymentStore, 'listOfSession'>;
  readonly methods: Pick<MethodStore, 'listKnown'>;
  readonly addresses: Pick<CheckoutAddresses, 'page'>;
}

/** One page of the sessions of the caller’s account and mode, each as it is now. */
export const listSessions =
  ({ sessions, payments, methods, addresses }: ListSessionsNeeds) =>
  async ({
    account,
    livemode,
    query: { status, from: fromMs, to: toMs, invoiceId, cursor, limit },
    nowMs,
  }: RequestOf<typeof listSessionsContract> & CheckoutCaller): Promise<Reply<typeof listSessionsContract>> => {
    const [{ page, pagination }, known] = await Promise.all([
      sessions.listOfAccount(
        account,
        { livemode, invoiceId, fromMs, toMs },
        { cursor, limit },
        ({ session }) => status === undefined || statusAt(session, nowMs).status === status,
      ),
      methods.listKnown(account),
    ]);
    const parts = { methods: known, addresses, nowMs };
    const views = page.map(async (found) => {
      const attempts = found.session.paymentCount === 0 ? [] : await payments.listOfSession(found);
      return sessionViewOf(found, attempts, parts);
    });
    const fitting = fittingPage({ page: await Promise.all(views), pagination });
    return { data: fitting.page, pagination: fitting.pagination };
  };
