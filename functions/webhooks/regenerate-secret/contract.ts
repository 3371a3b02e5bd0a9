import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { exampleSecret } from '../../../shared/webhooks/webhook.ts';

export const regenerateSecretContract = contract({
  summary: 'Replace the signing secret of a webhook subscription',
  description:
    'Later deliveries are signed with the new secret only, also during the overlap of a rotation. The secret is shown only in this response.',
  status: 200,
  path: z.object({ id: z.string() }),
  reply: z.object({ secret: z.string().meta({ examples: [exampleSecret] }) }),
  refuses: ['webhook_not_found'],
});
