import type { InboundReceiver } from '../../../shared/compliance/inbound-receiver.ts';
import type { RequestOf } from '../../../shared/http/contract.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { recordInboundContract } from './contract.ts';

export interface RecordInboundNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly inboundReceiver: Pick<InboundReceiver, 'receive'>;
}

/** Records an inbound whatsapp message, as the provider's callback does. */
export const recordInbound =
  ({ accounts, inboundReceiver }: RecordInboundNeeds) =>
  async ({ path, body, newId, nowMs }: RequestOf<typeof recordInboundContract>): Promise<undefined> => {
    const account = existing('account_not_found', await accounts.find(path.id));
    await inboundReceiver.receive(account.ref, { ...body, channel: 'whatsapp', atMs: nowMs, id: newId });
  };
