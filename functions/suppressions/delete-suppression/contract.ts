import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';

export const deleteSuppressionContract = contract({
  summary: 'Remove an address from the list',
  description:
    'Removes every entry of the address on the channel, regardless of its reason. The status of a contact with this address stays as it is.',
  status: 204,
  path: z.object({
    channel: z.string().meta({ examples: ['email'] }),
    address: z
      .string()
      .describe('Percent-encoded. An email in any letter case, or a phone with or without its `+`.')
      .meta({ examples: ['ada@example.com'] }),
  }),
  refuses: ['not_found'],
});
