import type { Reply } from '../../../shared/http/contract.ts';
import type { OperatorInput } from '../../../shared/http/operator-surface.ts';
import { onMember } from '../../../shared/people/on-member.ts';
import type { AccessKeyStore } from '../../../shared/table/people/access-key-store.ts';
import type { MemberStore } from '../../../shared/table/people/member-store.ts';
import type { removeMemberContract } from './contract.ts';

export interface RemoveMemberNeeds {
  readonly members: Pick<MemberStore, 'find' | 'remove'>;
  readonly accessKeys: Pick<AccessKeyStore, 'end'>;
}

/** Ends the keys of the member before the membership: a member who is removed is not found again. One who is lent a key in between is found anew. */
export const removeMember =
  ({ members, accessKeys }: RemoveMemberNeeds) =>
  async ({
    account: { id: account },
    path: { memberId },
    nowMs,
  }: OperatorInput<typeof removeMemberContract>): Promise<Reply<typeof removeMemberContract>> => {
    await onMember(members, account, memberId, async (found) => {
      await accessKeys.end(found.person, { account }, nowMs);
      return members.remove(account, found);
    });
  };
