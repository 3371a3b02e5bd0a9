import * as z from 'zod';
import { chaosKinds } from '../../../shared/checkout/chaos.ts';
import { contract } from '../../../shared/http/contract.ts';
import { exampleId } from '../../../shared/kit/id.ts';

const chaos = z.enum(chaosKinds).nullable();

export const setChaosContract = contract({
  summary: 'Inject faults into the payments of a test session',
  description:
    '`duplicate_notification`: the simulator sends its notification three times. `tampered_amount`: it reports one minor unit more than the session’s amount, so the payment is held for review. `late_success`: the session expires, and the payment succeeds four seconds after it started. `null`: no faults for payments that start later.',
  example: { chaos: 'tampered_amount' },
  status: 200,
  path: z.object({ id: z.string() }),
  body: z.object({ chaos }),
  reply: z.object({
    id: z.string().meta({ examples: [exampleId] }),
    chaos: chaos.meta({ examples: ['tampered_amount'] }),
  }),
  refuses: ['invalid_request', 'session_not_found'],
});
