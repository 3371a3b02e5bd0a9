import { eligibleMethods, offeredBy } from '../../../shared/checkout/methods.ts';
import { statusAt } from '../../../shared/checkout/session-status.ts';
import { usedFeatures } from '../../../shared/checkout/session-view.ts';
import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import { iso } from '../../../shared/kit/time.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { MethodStore } from '../../../shared/table/checkout/method-store.ts';
import type { SessionStore } from '../../../shared/table/checkout/session-store.ts';
import type { getSessionContract } from './contract.ts';

export interface GetSessionNeeds {
  readonly sessions: Pick<SessionStore, 'find'>;
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly methods: Pick<MethodStore, 'list'>;
}

/** The payer's view of a session, without the merchant's metadata and the customer's data. */
export const getSession =
  ({ sessions, accounts, methods }: GetSessionNeeds) =>
  async ({ path, nowMs }: RequestOf<typeof getSessionContract>): Promise<Reply<typeof getSessionContract>> => {
    const found = existing('session_not_found', await sessions.find(path.id));
    const { account, session } = found;
    const [merchant, kept] = await Promise.all([accounts.find(account.id), methods.list(account)]);
    return {
      id: session.id,
      ...statusAt(session, nowMs),
      amountMinor: session.amountMinor,
      currency: session.currency,
      description: session.description ?? null,
      livemode: session.livemode,
      expiresAt: iso(session.expiresMs),
      eligibleMethods: eligibleMethods(offeredBy(merchant, kept), session),
      ...usedFeatures(session),
      merchant: { name: merchant?.name ?? '' },
    };
  };
