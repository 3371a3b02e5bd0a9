import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { exampleId } from '../../../shared/kit/id.ts';
import { role } from '../../../shared/people/person.ts';

export const getMeContract = contract({
  summary: 'Get who is calling',
  description: 'A person by the cookie of their session, or a script by its operator token.',
  status: 200,
  reply: z.object({
    kind: z.enum(['session', 'token']).meta({ examples: ['session'] }),
    email: z
      .string()
      .nullable()
      .describe('Of the person; null for a token.')
      .meta({ examples: ['ada@example.com'] }),
    name: z
      .string()
      .nullable()
      .describe('Of the token; null for a person.')
      .meta({ examples: [null] }),
    isOperator: z.boolean().meta({ examples: [false] }),
    accounts: z
      .array(
        z.object({
          id: z.string(),
          name: z.string(),
          status: z.enum(['active', 'frozen']),
          createdAt: z.string(),
          role,
        }),
      )
      .describe('The accounts of a member. Operators may use every account, and `GET /accounts` lists them.')
      .meta({
        examples: [
          [
            {
              id: exampleId,
              name: 'Ada’s books',
              status: 'active',
              createdAt: '2026-11-20T12:00:00.000Z',
              role: 'owner',
            },
          ],
        ],
      }),
    sessionId: z
      .string()
      .nullable()
      .meta({ examples: [exampleId] }),
    expiresAt: z
      .string()
      .nullable()
      .meta({ examples: ['2026-11-20T12:00:00.000Z'] }),
  }),
});
