import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { cursorPagination, cursorQuery } from '../../../shared/http/cursor.ts';
import { member } from '../../../shared/people/member-fields.ts';

export const listMembersContract = contract({
  summary: 'List the members of an account',
  description: 'Oldest first.',
  status: 200,
  path: z.object({ id: z.string() }),
  query: z.object(cursorQuery({ defaultLimit: 20 })),
  reply: z.array(member),
  beside: z.object({ pagination: cursorPagination }),
  refuses: ['invalid_request', 'account_not_found'],
});
