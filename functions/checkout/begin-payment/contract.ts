import * as z from 'zod';
import { paymentStatuses } from '../../../shared/checkout/session.ts';
import { contract } from '../../../shared/http/contract.ts';
import { exampleId } from '../../../shared/kit/id.ts';

const paymentId = '019a9c1e-5f02-7b1d-a3c4-1e2f3a4b5c6d';

export const beginPaymentContract = contract({
  summary: 'Start a payment of a session',
  description:
    'A session has one payment at a time: a second one is rejected while the first is in progress. In test mode, the exact amount decides the outcome.',
  example: { acceptanceMethodId: '019a9c1e-0a2b-7c4d-8e6f-1a2b3c4d5e6f' },
  status: 201,
  path: z.object({ id: z.string() }),
  body: z.object({ acceptanceMethodId: z.string().describe('The id of one of the session’s `eligibleMethods`.') }),
  reply: z.object({
    paymentId: z.string().meta({ examples: [paymentId] }),
    status: z.enum(paymentStatuses),
    redirectUrl: z.string().meta({
      description: 'The URL that the payer’s browser must open next.',
      examples: [`https://pay.example/checkout/${exampleId}/payments/${paymentId}`],
    }),
  }),
  refuses: ['bad_request', 'session_not_found', 'session_not_open', 'payment_in_progress', 'method_unavailable'],
});
