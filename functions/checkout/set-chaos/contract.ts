import * as z from 'zod';
import { chaosKinds } from '../../../shared/checkout/gateway-answer.ts';
import { contract } from '../../../shared/http/contract.ts';

const chaos = z.enum(chaosKinds).nullable();

export const setChaosContract = contract({
  summary: 'Make trouble for the payments of one test session',
  description:
    '`duplicate_notification`: the simulator notifies three times. `tampered_amount`: it reports one unit more than was asked, so the payment is held. `late_success`: the session expires, and the money arrives four seconds after the payment began. Null ends the trouble for payments that begin later.',
  example: { chaos: 'tampered_amount' },
  status: 200,
  path: z.object({ id: z.string() }),
  body: z.object({ chaos }),
  reply: z.object({ id: z.string(), chaos }),
  refuses: ['invalid_request', 'session_not_found'],
});
