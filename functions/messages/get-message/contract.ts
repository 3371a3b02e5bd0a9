import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { message } from '../../../shared/messages/message.ts';

export const getMessageContract = contract({
  summary: 'Get a message',
  status: 200,
  path: z.object({ id: z.string() }),
  reply: message,
  refuses: ['message_not_found'],
});
