import { Fault, Unavailable } from '../kit/fault.ts';
import { type Member, platform } from './person.ts';

const mostTries = 5;

interface Needs<Found> {
  readonly members: { find(scope: string, id: string): Promise<Found | undefined> };
  /** Ends the keys that the member was lent in the scope. */
  endKeys(member: Found): Promise<void>;
}

/**
 * Changes a member as they are now. Their keys end before: who is removed is not found again, and who gives up a role may not repeat it. One who is
 * lent a key in between is found anew. Nobody stays by being lent keys all the time: the last try ends those afterwards.
 * @throws Fault `not_found` when the scope has no such member, `conflict` when it would be left without its last owner or operator
 */
export const onMember = async <Found extends Member & { readonly keysLent: number | undefined }>(
  { members, endKeys }: Needs<Found>,
  scope: string,
  id: string,
  change: (member: Found) => Promise<'done' | 'last' | 'changed'>,
): Promise<Found> => {
  for (let tries = 1; tries <= mostTries; tries += 1) {
    const isLastTry = tries === mostTries;
    const member = await members.find(scope, id);
    if (!member) throw new Fault('not_found', `No ${scope === platform ? 'operator' : 'member'} has this id.`);
    await endKeys(member);
    const outcome = await change(isLastTry ? { ...member, keysLent: undefined } : member);
    if (outcome === 'last') throw new Fault('conflict', `This is the last ${member.role}. Add another one first.`);
    if (outcome === 'done') {
      if (isLastTry) await endKeys(member);
      return member;
    }
  }
  throw new Unavailable('a member is being changed by others');
};
