import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';

export const cancelMessageContract = contract({
  summary: 'Cancel a scheduled message',
  description:
    'The message is deleted and its credits are returned; a contact that was created for it stays. 409 `conflict` if it waits neither for its `sendAt` nor, as an email, for the provider’s sending rate.',
  status: 204,
  path: z.object({ id: z.string() }),
  refuses: ['message_not_found', 'conflict'],
  refusesWhen: { conflict: 'The message does not wait for its `sendAt` or the provider’s sending rate.' },
});
