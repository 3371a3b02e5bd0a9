import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import type { PeopleCaller } from '../../../shared/http/people-surface.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import { iso } from '../../../shared/kit/time.ts';
import { nameOf, platform } from '../../../shared/people/person.ts';
import type { MemberStore } from '../../../shared/table/people/member-store.ts';
import type { addOperatorContract } from './contract.ts';

export interface AddOperatorNeeds {
  readonly members: Pick<MemberStore, 'add'>;
}

/** Operators may do everything. */
export const addOperator =
  ({ members }: AddOperatorNeeds) =>
  async ({
    body,
    caller,
    newId: id,
    nowMs,
  }: RequestOf<typeof addOperatorContract> & PeopleCaller): Promise<Reply<typeof addOperatorContract>> => {
    const added = { id, ...body, invitedBy: nameOf(caller) };
    if (!(await members.add(platform, { ...added, role: 'operator' })))
      throw new Fault('conflict', 'email: is an operator already');
    return { ...added, createdAt: iso(nowMs) };
  };
