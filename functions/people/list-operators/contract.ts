import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { cursorPagination, cursorQuery } from '../../../shared/http/cursor.ts';
import { operator } from '../../../shared/people/member-fields.ts';

export const listOperatorsContract = contract({
  summary: 'List the operators of the platform',
  description: 'Oldest first.',
  status: 200,
  query: z.object(cursorQuery({ defaultLimit: 20 })),
  reply: z.array(operator),
  beside: z.object({ pagination: cursorPagination }),
  refuses: ['invalid_request'],
});
