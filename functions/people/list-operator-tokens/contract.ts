import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { operatorToken } from '../../../shared/people/member-fields.ts';

export const listOperatorTokensContract = contract({
  summary: 'List operator tokens',
  description: 'Newest first, without their secrets.',
  status: 200,
  reply: z.array(operatorToken),
});
