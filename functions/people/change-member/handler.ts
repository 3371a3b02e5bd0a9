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

/** The role changes first, so that no key with the old one is made afterwards. */
export const changeMember =
  ({ members, accessKeys }: ChangeMemberNeeds) =>
  async ({
    account: { id: account },
    path: { memberId },
    body: { role },
    nowMs,
  }: OperatorInput<typeof changeMemberContract>): Promise<Reply<typeof changeMemberContract>> => {
    const member = await onMember(members, account, memberId, (found) => members.changeRole(account, found, role));
    await accessKeys.end(member.person, { account }, nowMs);
    return { ...member, role };
  };
