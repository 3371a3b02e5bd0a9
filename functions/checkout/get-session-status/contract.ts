import * as z from 'zod';
import { paymentStatuses, sessionStatuses } from '../../../shared/checkout/session.ts';
import { contract } from '../../../shared/http/contract.ts';

export const getSessionStatusContract = contract({
  summary: 'Poll a session',
  description: 'A fallback, or for a waiting screen: the webhook is what counts.',
  status: 200,
  path: z.object({ id: z.string() }),
  reply: z.object({ status: z.enum(sessionStatuses), paymentStatus: z.enum(paymentStatuses) }),
  refuses: ['session_not_found'],
});
