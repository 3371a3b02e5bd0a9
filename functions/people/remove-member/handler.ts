import type { AccountPeopleInput } from '../../../shared/http/account-people-surface.ts';
import type { Reply } from '../../../shared/http/contract.ts';
import { onMember } from '../../../shared/people/on-member.ts';
import type { AccessKeyStore } from '../../../shared/table/people/access-key-store.ts';
import type { FoundMember, MemberStore } from '../../../shared/table/people/member-store.ts';
import type { removeMemberContract } from './contract.ts';

export interface RemoveMemberNeeds {
  readonly members: Pick<MemberStore, 'find' | 'remove'>;
  readonly accessKeys: Pick<AccessKeyStore, 'end'>;
}

/** Ends the membership, and the keys that the member was lent. */
export const removeMember =
  ({ members, accessKeys }: RemoveMemberNeeds) =>
  async ({
    account: { id: account },
    path: { memberId },
    nowMs,
  }: AccountPeopleInput<typeof removeMemberContract>): Promise<Reply<typeof removeMemberContract>> => {
    const endKeys = ({ person }: FoundMember) => accessKeys.end(person, { account }, nowMs);
    await onMember({ members, endKeys }, account, memberId, (found) => members.remove(account, found));
  };
