import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { member } from '../../../shared/people/member-fields.ts';
import { personalEmail, role } from '../../../shared/people/person.ts';

export const addMemberContract = contract({
  summary: 'Add a member to an account',
  description:
    'They are notified by email, and sign in with their address. The members of an account can invite 50 people a day; while it is frozen, only operators can invite.',
  example: { email: 'ada@example.com', role: 'developer' },
  status: 201,
  path: z.object({ id: z.string() }),
  body: z.object({ email: personalEmail, role }),
  reply: member,
  refuses: ['invalid_request', 'account_not_found', 'conflict'],
  refusesWhen: { conflict: 'The person is a member of this account already.' },
});
