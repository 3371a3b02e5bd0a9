import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';

export const listCallbackUrlsContract = contract({
  summary: 'Read what the providers of an account are to call',
  status: 200,
  path: z.object({ id: z.string() }),
  reply: z.object({
    smsInbound: z
      .string()
      .describe('For inbound sms of a gateway over HTTP; whoever knows it may speak for the gateway.'),
    whatsapp: z.string().describe('For Meta, with the verify token of the account’s settings.'),
  }),
  refuses: ['not_found'],
});
