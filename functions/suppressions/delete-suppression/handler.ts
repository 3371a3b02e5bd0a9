import type { Input } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import { channels } from '../../../shared/messages/message.ts';
import { addressIn } from '../../../shared/messages/recipient.ts';
import type { SuppressionStore } from '../../../shared/table/contacts/suppression-store.ts';
import type { deleteSuppressionContract } from './contract.ts';

export interface DeleteSuppressionNeeds {
  readonly suppressions: Pick<SuppressionStore, 'remove'>;
}

/** Takes an address off the account's list. What is no channel or no address is as unknown as one that is not listed. */
export const deleteSuppression =
  ({ suppressions }: DeleteSuppressionNeeds) =>
  async ({ account, path }: Input<typeof deleteSuppressionContract>): Promise<undefined> => {
    const channel = channels.find((each) => each === path.channel);
    const address = addressIn(path.address);
    const isRemoved = channel && address && (await suppressions.remove(account, { channel, address }));
    if (!isRemoved) throw new Fault('not_found', 'No suppression has this channel and address.');
  };
