import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';

export const retireContactContract = contract({
  summary: 'Delete a contact',
  description:
    'The contact is retired: it can no longer be read, listed or messaged; earlier messages remain. Its phone is free for another contact, its email is not. Who has opted out stays so.',
  status: 204,
  path: z.object({ id: z.string() }),
  refuses: ['contact_not_found'],
});
