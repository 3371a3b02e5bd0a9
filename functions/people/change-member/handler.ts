import type { Reply } from '../../../shared/http/contract.ts';
import type { OperatorInput } from '../../../shared/http/operator-surface.ts';
import { onMember } from '../../../shared/people/on-member.ts';
import type { AccessKeyStore } from '../../../shared/table/people/access-key-store.ts';
import type { MemberStore } from '../../../shared/table/people/member-store.ts';
import type { changeMemberContract } from './contract.ts';

export interface ChangeMemberNeeds {
  readonly members: Pick<MemberStore, 'find' | 'changeRole'>;
  readonly accessKeys: Pick<AccessKeyStore, 'end'>;
}

/** Ends the keys of the member before the role, as for one who is removed: who gives up a role may not repeat it. */
export const changeMember =
  ({ members, accessKeys }: ChangeMemberNeeds) =>
  async ({
    account: { id: account },
    path: { memberId },
    body: { role },
    nowMs,
  }: OperatorInput<typeof changeMemberContract>): Promise<Reply<typeof changeMemberContract>> => {
    const member = await onMember(members, account, memberId, async (found) => {
      await accessKeys.end(found.person, { account }, nowMs);
      return members.changeRole(account, found, role);
    });
    return { ...member, role };
  };
