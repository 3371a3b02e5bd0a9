import type { Reply } from '../../../shared/http/contract.ts';
import type { OperatorInput } from '../../../shared/http/operator-surface.ts';
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
  }: OperatorInput<typeof removeMemberContract>): Promise<Reply<typeof removeMemberContract>> => {
    const endKeys = ({ person }: FoundMember) => accessKeys.end(person, { account }, nowMs);
    await onMember({ members, endKeys }, account, memberId, (found) => members.remove(account, found));
  };
