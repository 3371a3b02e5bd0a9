import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';

export const retireContactContract = contract({
  summary: 'Delete a contact',
  description:
    'The contact is retired: it can no longer be read, listed or messaged. Earlier messages remain. Another contact can use its phone, but not its email. An opt-out of its phone stays in force.',
  status: 204,
  path: z.object({ id: z.string() }),
  refuses: ['contact_not_found'],
});
