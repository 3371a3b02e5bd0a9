import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { addressKinds, phoneNumber } from '../../../shared/messages/recipient.ts';

export const recordInboundContract = contract({
  summary: 'Record an inbound whatsapp message',
  description:
    'Has the same effect as the provider’s callback: the message opens the 24-hour window, and STOP or START changes the consent of the contact with this phone.',
  example: { from: '+8801700000000', text: 'START' },
  status: 202,
  path: z.object({ id: z.string() }),
  body: z.object({
    from: z
      .string()
      .refine((from) => phoneNumber(from) !== undefined, `must be ${addressKinds.whatsapp}`)
      .describe(`Must be ${addressKinds.whatsapp}.`),
    text: z.string().max(4_096),
  }),
  refuses: ['invalid_request', 'account_not_found'],
});
