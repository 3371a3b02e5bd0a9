import * as z from 'zod';
import { exampleSuppression, suppression, suppressionReasons } from '../../../shared/contacts/suppression.ts';
import { contract } from '../../../shared/http/contract.ts';
import { withRules } from '../../../shared/http/fields.ts';
import { channels } from '../../../shared/messages/message.ts';
import { addressKinds, recipientOf } from '../../../shared/messages/recipient.ts';

const fields = z.object({
  channel: z.enum(channels),
  address: z
    .string()
    .describe('An email address on the channel `email`, otherwise a phone number in E.164 format.')
    .meta({ examples: ['ada@example.com'] }),
  reason: z
    .enum(suppressionReasons)
    .nullish()
    .transform((reason) => reason ?? 'manual')
    .describe('`manual` if omitted.'),
});

export const createSuppressionContract = contract({
  summary: 'Suppress an address',
  description:
    'The address is not to be written to on the channel. A repetition returns the entry that is there, unchanged. A send is blocked only if the account’s setting `suppressions` is `enforced`.',
  example: { channel: 'email', address: 'ada@example.com' },
  status: 201,
  body: withRules(fields, [
    {
      field: 'address',
      what: ({ channel }) => (channel in addressKinds ? `must be ${addressKinds[channel]}` : 'must be an address'),
      isBroken: ({ channel, address }) => channel in addressKinds && !recipientOf(channel, address),
    },
  ]),
  reply: suppression,
  replyExample: { ...exampleSuppression, reason: 'manual' },
  refuses: ['invalid_request'],
});
