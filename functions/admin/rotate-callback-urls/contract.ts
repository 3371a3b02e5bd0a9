import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { overlapSeconds } from '../../../shared/http/fields.ts';
import { listCallbackUrlsContract } from '../list-callback-urls/contract.ts';

export const rotateCallbackUrlsContract = contract({
  summary: 'Replace the URL for inbound sms of an account, with an overlap',
  description:
    'Until `previousValidUntil`, callbacks are accepted at both URLs. Give your gateway the new one in that time: afterwards the previous one is answered 404, and a STOP that is sent there is lost. A rotation during an overlap ends no URL early. An account has at most three URLs: one more rotation ends the oldest. An overlap of 0 ends all earlier URLs at once. The URL for whatsapp has no secret, and stays as it is.',
  example: { overlapSeconds: 86_400 },
  status: 200,
  path: z.object({ id: z.string() }),
  body: z.object({
    overlapSeconds: overlapSeconds.describe(
      'How long the previous URL stays valid: up to 7 days; 0: all earlier URLs end at once.',
    ),
  }),
  reply: z.object({
    smsInbound: listCallbackUrlsContract.reply.shape.smsInbound,
    previousValidUntil: z
      .string()
      .describe('When callbacks are no longer accepted at the previous URL.')
      .meta({ format: 'date-time', examples: ['2026-11-21T12:00:00.000Z'] }),
  }),
  refuses: ['invalid_request', 'account_not_found'],
});
