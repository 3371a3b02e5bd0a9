import type { AccountPeopleInput } from '../../../shared/http/account-people-surface.ts';
import type { Reply } from '../../../shared/http/contract.ts';
import { onMember } from '../../../shared/people/on-member.ts';
import type { AccessKeyStore } from '../../../shared/table/people/access-key-store.ts';
import type { FoundMember, MemberStore } from '../../../shared/table/people/member-store.ts';
import type { changeMemberContract } from './contract.ts';

export interface ChangeMemberNeeds {
  readonly members: Pick<MemberStore, 'find' | 'changeRole'>;
  readonly accessKeys: Pick<AccessKeyStore, 'end'>;
}

/** Gives the member another role, and ends the keys that they were lent for the one before. */
export const changeMember =
  ({ members, accessKeys }: ChangeMemberNeeds) =>
  async ({
    account: { id: account },
    path: { memberId },
    body: { role },
    nowMs,
  }: AccountPeopleInput<typeof changeMemberContract>): Promise<Reply<typeof changeMemberContract>> => {
    const endKeys = ({ person }: FoundMember) => accessKeys.end(person, { account }, nowMs);
    const member = await onMember({ members, endKeys }, account, memberId, (found) =>
      members.changeRole(account, found, role),
    );
    return { ...member, role };
  };
