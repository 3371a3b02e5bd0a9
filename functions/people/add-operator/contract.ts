import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { operator } from '../../../shared/people/member-fields.ts';
import { personalEmail } from '../../../shared/people/person.ts';

export const addOperatorContract = contract({
  summary: 'Add an operator of the platform',
  description: 'They sign in with their address, and may use every account.',
  example: { email: 'ada@example.com' },
  status: 201,
  body: z.object({ email: personalEmail }),
  reply: operator,
  refuses: ['invalid_request', 'conflict'],
  refusesWhen: { conflict: 'The person is an operator already.' },
});
