import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';

export const removeMemberContract = contract({
  summary: 'Remove a member from an account',
  description:
    'Owners may remove every member, other members themselves only. Their next request is refused, and so are their short-lived keys of this account. The last owner cannot be removed.',
  status: 204,
  path: z.object({ id: z.string(), memberId: z.string() }),
  refuses: ['account_not_found', 'not_found', 'conflict'],
  refusesWhen: { conflict: 'The member is the last owner.' },
});
