import { changed } from '../../../shared/accounts/account.ts';
import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { updateAccountContract } from './contract.ts';

export interface UpdateAccountNeeds {
  readonly accounts: Pick<AccountStore, 'find' | 'save'>;
}

/** Omitted fields are unchanged. Of two concurrent changes, the later one is applied to the result of the earlier. */
export const updateAccount = ({ accounts }: UpdateAccountNeeds) => {
  const update = async (
    input: RequestOf<typeof updateAccountContract>,
  ): Promise<Reply<typeof updateAccountContract>> => {
    const before = existing('account_not_found', await accounts.find(input.path.id));
    const saved = await accounts.save(before, changed(before, input.body), input.nowMs);
    if (saved === 'sender-taken') throw new Fault('conflict', 'sms.sender: is already used by another account');
    return saved ?? update(input);
  };
  return update;
};
