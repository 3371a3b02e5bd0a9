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

/** The membership ends first, so that no key is made by it afterwards. */
export const removeMember =
  ({ members, accessKeys }: RemoveMemberNeeds) =>
  async ({
    account: { id: account },
    path: { memberId },
    nowMs,
  }: OperatorInput<typeof removeMemberContract>): Promise<Reply<typeof removeMemberContract>> => {
    const { person } = await onMember(members, account, memberId, (found) => members.remove(account, found));
    await accessKeys.end(person, { account }, nowMs);
  };
