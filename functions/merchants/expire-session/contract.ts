import * as z from 'zod';
import { exampleSession, sessionView } from '../../../shared/checkout/session-view.ts';
import { contract } from '../../../shared/http/contract.ts';

export const expireSessionContract = contract({
  summary: 'Expire a checkout session now',
  description:
    'The payer can no longer pay. The gateway is asked about a payment in progress. If the payer has paid, the session is completed, and the answer is 409 `session_not_open`. If not, the payment is cancelled (event payment.failed), and money that arrives for it later is refunded automatically. A payment that may have succeeded is waited for: the payer has approved it already, it is under review, or the gateway has not decided or gives no clear answer. The session then stays `OPEN` with `expiresAt` in the past, accepts no other payment, and is `COMPLETED` or `EXPIRED` at the latest 30 minutes later.',
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
