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

/**
 * Ends the keys of the member before the membership, because a run that is cut off after that is not found again; and after it, for those that were
 * made meanwhile.
 */
export const removeMember =
  ({ members, accessKeys }: RemoveMemberNeeds) =>
  async ({
    account: { id: account },
    path: { memberId },
    nowMs,
  }: OperatorInput<typeof removeMemberContract>): Promise<Reply<typeof removeMemberContract>> => {
    const endKeys = (person: string) => accessKeys.end(person, { account }, nowMs);
    const { person } = await onMember(members, account, memberId, async (found) => {
      await endKeys(found.person);
      return members.remove(account, found);
    });
    await endKeys(person);
  };
