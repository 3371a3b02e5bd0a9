import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';

export const removeOperatorContract = contract({
  summary: 'Remove an operator of the platform',
  description:
    'Their next request is refused, and so are their short-lived keys. Operator tokens that they created, and those created with these, keep working until they are revoked: `createdBy` in the list of tokens says which these are. The last operator cannot be removed.',
  status: 204,
  path: z.object({ operatorId: z.string() }),
  refuses: ['not_found', 'conflict'],
  refusesWhen: { conflict: 'The operator is the last one.' },
});
