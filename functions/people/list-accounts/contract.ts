import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { cursorPagination, cursorQuery } from '../../../shared/http/cursor.ts';
import { exampleId } from '../../../shared/kit/id.ts';

export const listAccountsContract = contract({
  summary: 'List accounts',
  description:
    'Oldest first: all accounts for operators, their own for members. Where few accounts fit `search`, a page may end early; follow its cursor.',
  status: 200,
  query: z.object({
    ...cursorQuery({ defaultLimit: 20 }),
    search: z.string().trim().max(100).optional().describe('A part of the name, or the start of the id.'),
  }),
  reply: z.array(
    z.object({
      id: z.string().meta({ examples: [exampleId] }),
      name: z.string().meta({ examples: ['Ada’s books'] }),
      status: z.enum(['active', 'frozen']).meta({ examples: ['active'] }),
      createdAt: z.string().meta({ format: 'date-time', examples: ['2026-11-20T12:00:00.000Z'] }),
    }),
  ),
  beside: z.object({ pagination: cursorPagination }),
  refuses: ['invalid_request'],
});
