import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { overlapSeconds } from '../../../shared/http/fields.ts';
import { exampleSecret } from '../../../shared/webhooks/webhook.ts';

export const rotateSecretContract = contract({
  summary: 'Replace the signing secret of a webhook subscription, with an overlap',
  description:
    'Until `previousValidUntil`, deliveries are signed with both secrets: `X-Service-Signature` has a second `v1`, `webhook-signature` a second signature after a space. The legacy `X-Webhook-Signature` is made with the new secret at once. A rotation during an overlap ends no secret early: if the response was lost, rotate again, and until the first overlap ends, deliveries have a third signature. A subscription has at most three secrets: one more rotation ends the oldest. An overlap of 0 ends all earlier secrets at once, and so does regenerating the secret. The secret is shown only in this response.',
  example: { overlapSeconds: 86_400 },
  status: 200,
  path: z.object({ id: z.string() }),
  body: z.object({
    overlapSeconds: overlapSeconds.describe(
      'How long the previous secret stays valid: up to 7 days; 0: all earlier secrets end at once.',
    ),
  }),
  reply: z.object({
    secret: z
      .string()
      .describe('The new secret.')
      .meta({ examples: [exampleSecret] }),
    previousValidUntil: z
      .string()
      .describe('When deliveries are no longer signed with the previous secret.')
      .meta({ format: 'date-time', examples: ['2026-11-21T12:00:00.000Z'] }),
  }),
  refuses: ['invalid_request', 'webhook_not_found'],
});
