import { Fault, Unavailable } from '../kit/fault.ts';
import type { Member } from './person.ts';

const mostTries = 5;

/**
 * Changes a member as they are now.
 * @throws Fault `not_found` when the place has no such member, `conflict` when it would be left without its last owner or operator
 */
export const onMember = async <Found extends Member>(
  members: { find(place: string, id: string): Promise<Found | undefined> },
  place: string,
  id: string,
  change: (member: Found) => Promise<'done' | 'last' | 'changed'>,
): Promise<Found> => {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const member = await members.find(place, id);
    if (!member) throw new Fault('not_found', 'No member has this id.');
    const outcome = await change(member);
    if (outcome === 'done') return member;
    if (outcome === 'last') throw new Fault('conflict', `This is the last ${member.role}. Add another one first.`);
  }
  throw new Unavailable('a member is being changed by others');
};
