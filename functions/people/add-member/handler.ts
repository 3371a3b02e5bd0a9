import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import type { PeopleCaller } from '../../../shared/http/people-surface.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import { dayMinutes, iso } from '../../../shared/kit/time.ts';
import { nameOf } from '../../../shared/people/person.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { RateStore } from '../../../shared/table/accounts/rate-store.ts';
import type { MemberStore } from '../../../shared/table/people/member-store.ts';
import type { addMemberContract } from './contract.ts';

export interface AddMemberNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly members: Pick<MemberStore, 'add'>;
  readonly rates: Pick<RateStore, 'count'>;
}

/** Each is a mail to an address that the inviter chose. */
const mostInvitations = 50;

/** The mail follows from the write. */
export const addMember =
  ({ accounts, members, rates }: AddMemberNeeds) =>
  async ({
    path,
    body,
    caller,
    newId: id,
    nowMs,
  }: RequestOf<typeof addMemberContract> & PeopleCaller): Promise<Reply<typeof addMemberContract>> => {
    existing('account_not_found', await accounts.find(path.id));
    const ofDay = { windowMinutes: dayMinutes };
    const invitations = caller.isOperator ? 0 : await rates.count(`invitations ${path.id}`, nowMs, ofDay);
    if (invitations > mostInvitations)
      throw new Fault(
        'invalid_request',
        `email: the account has reached its limit of ${mostInvitations} invitations a day; invite others tomorrow`,
      );
    const added = { id, ...body, invitedBy: nameOf(caller) };
    if (!(await members.add(path.id, added))) throw new Fault('conflict', 'email: is a member of this account already');
    return { ...added, createdAt: iso(nowMs) };
  };
