import * as z from 'zod';
import { eligibleMethod } from '../../../shared/checkout/methods.ts';
import { paymentStatuses, sessionStatuses } from '../../../shared/checkout/session.ts';
import { newSessionView } from '../../../shared/checkout/session-view.ts';
import { contract } from '../../../shared/http/contract.ts';
import { exampleId } from '../../../shared/kit/id.ts';

export const getSessionContract = contract({
  summary: 'Get what the hosted page shows of a session',
  status: 200,
  path: z.object({ id: z.string() }),
  reply: z.object({
    id: z.string().meta({ examples: [exampleId] }),
    status: z.enum(sessionStatuses),
    paymentStatus: z.enum(paymentStatuses),
    amountMinor: z.int().meta({ examples: [600_000] }),
    currency: z.string().meta({ examples: ['BDT'] }),
    description: z
      .string()
      .nullable()
      .meta({ examples: ['Order 1042'] }),
    livemode: z.boolean().meta({ examples: [false] }),
    expiresAt: z.string().meta({ format: 'date-time', examples: ['2026-11-21T12:00:00.000Z'] }),
    eligibleMethods: z.array(eligibleMethod),
    lineItems: newSessionView.shape.lineItems,
    locale: newSessionView.shape.locale,
    merchant: z.object({ name: z.string().meta({ examples: ['Ada’s books'] }) }),
  }),
  refuses: ['session_not_found'],
});
