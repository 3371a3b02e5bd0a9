import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { exampleId } from '../../../shared/kit/id.ts';

export const listCallbackUrlsContract = contract({
  summary: 'List the URLs that the providers of an account must call',
  status: 200,
  path: z.object({ id: z.string() }),
  reply: z.object({
    smsInbound: z
      .string()
      .describe('For inbound sms from an HTTP gateway. Keep it secret: a caller who has it is accepted as the gateway.')
      .meta({
        examples: [
          `https://api.example/callbacks/sms-inbound/${exampleId}/AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdE`,
        ],
      }),
    whatsapp: z
      .string()
      .describe('For Meta; use the verify token from the account’s settings.')
      .meta({ examples: [`https://api.example/callbacks/whatsapp/${exampleId}`] }),
  }),
  refuses: ['account_not_found'],
});
