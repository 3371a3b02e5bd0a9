import type { AccountRef } from '../../kit/account-ref.ts';
import { type Branding, noBranding } from '../branding.ts';
import { type AcceptanceMethod, offeredBy } from '../methods.ts';
import type { Payment } from '../payment.ts';
import type { FoundSession } from '../session.ts';
import type { Scene } from './session-page.ts';

export interface SceneNeeds {
  readonly payments: { listOfSession(found: FoundSession): Promise<readonly Payment[]> };
  readonly accounts: {
    find(
      id: string,
    ): Promise<{ readonly name: string; readonly status: string; readonly branding: Branding } | undefined>;
  };
  readonly methods: { list(account: AccountRef): Promise<readonly AcceptanceMethod[]> };
}

/** Reads what the pages of a session are made from. */
export const openScene = async (
  { payments, accounts, methods }: SceneNeeds,
  found: FoundSession,
  nowMs: number,
): Promise<Scene> => {
  const [attempts, account, kept] = await Promise.all([
    found.session.paymentCount === 0 ? [] : payments.listOfSession(found),
    accounts.find(found.account.id),
    methods.list(found.account),
  ]);
  return {
    session: found.session,
    attempts,
    methods: kept,
    offered: offeredBy(account, kept),
    merchant: account?.name ?? '',
    branding: account?.branding ?? noBranding,
    nowMs,
  };
};
