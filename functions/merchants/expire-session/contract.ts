import * as z from 'zod';
import { exampleSession, sessionView } from '../../../shared/checkout/session-view.ts';
import { contract } from '../../../shared/http/contract.ts';

export const expireSessionContract = contract({
  summary: 'Expire a checkout session now',
  description:
    'The payer can no longer pay. A payment in progress is cancelled (event payment.failed), and money that arrives for it is refunded automatically. Only a payment that the payer has approved already, or that is under review, is waited for: the session then stays `OPEN` with `expiresAt` in the past, accepts no other payment, and is `COMPLETED` or `EXPIRED` at the latest 30 minutes later.',
  status: 200,
  path: z.object({ id: z.string() }),
  reply: sessionView,
  replyExample: {
    ...exampleSession,
    status: 'EXPIRED',
    paymentStatus: 'EXPIRED',
    expiresAt: '2026-11-20T12:20:00.000Z',
    payments: [],
  },
  refuses: ['session_not_found', 'session_not_open'],
});
