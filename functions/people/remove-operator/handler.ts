import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { onMember } from '../../../shared/people/on-member.ts';
import { platform } from '../../../shared/people/person.ts';
import type { AccessKeyStore } from '../../../shared/table/people/access-key-store.ts';
import type { FoundMember, MemberStore } from '../../../shared/table/people/member-store.ts';
import type { removeOperatorContract } from './contract.ts';

export interface RemoveOperatorNeeds {
  readonly members: Pick<MemberStore, 'find' | 'remove'>;
  readonly accessKeys: Pick<AccessKeyStore, 'end'>;
}

/** Memberships of the same person stay. Keys end as for a member who is removed. */
export const removeOperator =
  ({ members, accessKeys }: RemoveOperatorNeeds) =>
  async ({
    path: { operatorId },
    nowMs,
  }: RequestOf<typeof removeOperatorContract>): Promise<Reply<typeof removeOperatorContract>> => {
    const endKeys = ({ person }: FoundMember) => accessKeys.end(person, {}, nowMs);
    await onMember({ members, endKeys }, platform, operatorId, (found) => members.remove(platform, found));
  };
