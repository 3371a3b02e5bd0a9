import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { member } from '../../../shared/people/member-fields.ts';
import { role } from '../../../shared/people/person.ts';

export const changeMemberContract = contract({
  summary: 'Change the role of a member',
  description:
    'It counts from their next request on. Their short-lived keys of this account end. The last owner stays one.',
  example: { role: 'viewer' },
  status: 200,
  path: z.object({ id: z.string(), memberId: z.string() }),
  body: z.object({ role }),
  reply: member,
  refuses: ['invalid_request', 'account_not_found', 'not_found', 'conflict'],
  refusesWhen: { conflict: 'The member is the last owner.' },
});
