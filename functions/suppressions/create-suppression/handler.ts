import type { Input, Reply } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import { recipientOf } from '../../../shared/messages/recipient.ts';
import type { SuppressionStore } from '../../../shared/table/contacts/suppression-store.ts';
import type { createSuppressionContract } from './contract.ts';

export interface CreateSuppressionNeeds {
  readonly suppressions: Pick<SuppressionStore, 'add'>;
}

/** Puts an address on the account's list, once. */
export const createSuppression =
  ({ suppressions }: CreateSuppressionNeeds) =>
  async ({
    account,
    body: { channel, address, reason },
    newId,
  }: Input<typeof createSuppressionContract>): Promise<Reply<typeof createSuppressionContract>> => {
    const recipient = recipientOf(channel, address);
    if (!recipient) throw new Fault('invalid_request', 'address: must be an address of the channel');
    return suppressions.add(account, { id: newId, channel, address: recipient.contact, reason });
  };
