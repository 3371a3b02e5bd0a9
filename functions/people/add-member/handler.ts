import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import type { PeopleCaller } from '../../../shared/http/people-surface.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import { iso } from '../../../shared/kit/time.ts';
import { nameOf } from '../../../shared/people/person.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { MemberStore } from '../../../shared/table/people/member-store.ts';
import type { addMemberContract } from './contract.ts';

export interface AddMemberNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly members: Pick<MemberStore, 'add'>;
}

/** The mail follows from the write. */
export const addMember =
  ({ accounts, members }: AddMemberNeeds) =>
  async ({
    path,
    body,
    caller,
    newId: id,
    nowMs,
  }: RequestOf<typeof addMemberContract> & PeopleCaller): Promise<Reply<typeof addMemberContract>> => {
    existing('account_not_found', await accounts.find(path.id));
    const added = { id, ...body, invitedBy: nameOf(caller) };
    if (!(await members.add(path.id, added))) throw new Fault('conflict', 'email: is a member of this account already');
    return { ...added, createdAt: iso(nowMs) };
  };
