import type { AccountPeopleInput } from '../../../shared/http/account-people-surface.ts';
import type { Reply } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import { onMember } from '../../../shared/people/on-member.ts';
import { type Caller, covers } from '../../../shared/people/person.ts';
import type { AccessKeyStore } from '../../../shared/table/people/access-key-store.ts';
import type { FoundMember, MemberStore } from '../../../shared/table/people/member-store.ts';
import type { removeMemberContract } from './contract.ts';

export interface RemoveMemberNeeds {
  readonly members: Pick<MemberStore, 'find' | 'remove'>;
  readonly accessKeys: Pick<AccessKeyStore, 'end'>;
}

const mayRemove = ({ isOperator, roles, person }: Caller, account: string, member: FoundMember): boolean =>
  isOperator || member.person === person || covers(roles[account] ?? 'viewer', 'owner');

/** Ends the membership, and the keys that the member was lent. Every member may leave: anybody can be made one without being asked. */
export const removeMember =
  ({ members, accessKeys }: RemoveMemberNeeds) =>
  async ({
    account: { id: account },
    path: { memberId },
    caller,
    nowMs,
  }: AccountPeopleInput<typeof removeMemberContract>): Promise<Reply<typeof removeMemberContract>> => {
    const find = async (scope: string, id: string) => {
      const found = await members.find(scope, id);
      if (found && !mayRemove(caller, account, found))
        throw new Fault('forbidden_scope', 'This requires the role owner on the account, or that the member is you.');
      return found;
    };
    const endKeys = ({ person }: FoundMember) => accessKeys.end(person, { account }, nowMs);
    await onMember({ members: { find }, endKeys }, account, memberId, (found) => members.remove(account, found));
  };
