import type { RequestOf } from '../../../shared/http/contract.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { InboundStore } from '../../../shared/table/messages/inbound-store.ts';
import type { recordInboundContract } from './contract.ts';

export interface RecordInboundNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly inbounds: Pick<InboundStore, 'receive'>;
}

/** Takes a whatsapp message as the provider's callback would. */
export const recordInbound =
  ({ accounts, inbounds }: RecordInboundNeeds) =>
  async ({ path, body, newId, nowMs }: RequestOf<typeof recordInboundContract>): Promise<undefined> => {
    const account = existing('account_not_found', await accounts.find(path.id));
    await inbounds.receive(account.ref, { ...body, channel: 'whatsapp', atMs: nowMs, id: newId });
  };
