import * as z from 'zod';
import { paymentStatuses, sessionStatuses } from '../../../shared/checkout/session.ts';
import { contract } from '../../../shared/http/contract.ts';

export const getSessionStatusContract = contract({
  summary: 'Get the status of a session',
  description: 'For a waiting screen, or as a fallback. The webhook is authoritative.',
  status: 200,
  path: z.object({ id: z.string() }),
  reply: z.object({ status: z.enum(sessionStatuses), paymentStatus: z.enum(paymentStatuses) }),
  refuses: ['session_not_found'],
});
