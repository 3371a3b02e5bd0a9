import * as z from 'zod';
import { sessionView } from '../../../shared/checkout/session-view.ts';
import { contract } from '../../../shared/http/contract.ts';

export const retrieveSessionContract = contract({
  summary: 'Get a checkout session with its payments',
  description: 'A session of another mode than the key’s is not found.',
  status: 200,
  path: z.object({ id: z.string() }),
  reply: sessionView,
  refuses: ['session_not_found'],
});
