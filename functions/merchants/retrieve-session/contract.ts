import * as z from 'zod';
import { sessionView } from '../../../shared/checkout/session-view.ts';
import { contract } from '../../../shared/http/contract.ts';

export const retrieveSessionContract = contract({
  summary: 'Get a checkout session with its payments',
  description: 'Test keys find only test sessions, and live keys only live ones.',
  status: 200,
  path: z.object({ id: z.string() }),
  reply: sessionView,
  refuses: ['session_not_found'],
});
