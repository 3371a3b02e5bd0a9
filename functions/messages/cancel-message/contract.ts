import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';

export const cancelMessageContract = contract({
  summary: 'Cancel a scheduled message',
  description:
    'The message is deleted and its credits are returned; a contact that was created for it stays. An email that waits for the provider’s sending rate can be cancelled, too. 409 `conflict` if the message was sent without `sendAt` otherwise, or its sending has begun.',
  status: 204,
  path: z.object({ id: z.string() }),
  refuses: ['message_not_found', 'conflict'],
  refusesWhen: { conflict: 'The message does not wait for its `sendAt` or the provider’s sending rate.' },
});
