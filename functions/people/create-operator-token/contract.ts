import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { operatorToken } from '../../../shared/people/member-fields.ts';
import { tokenName } from '../../../shared/people/token-name.ts';

export const createOperatorTokenContract = contract({
  summary: 'Create an operator token; it is shown only in this response',
  description:
    'For scripts: `Authorization: Bearer ot_…`. It may do everything until it is revoked, also after the operator who created it is removed.',
  example: { name: 'Billing job' },
  status: 201,
  body: z.object({ name: tokenName }),
  reply: operatorToken.extend({ token: z.string().meta({ examples: [`ot_${'0123456789abcdef'.repeat(4)}`] }) }),
  refuses: ['invalid_request'],
});
