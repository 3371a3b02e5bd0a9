import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { channels } from '../../../shared/messages/message.ts';
import { template } from '../../../shared/templates/template.ts';

export const listTemplatesContract = contract({
  summary: 'List templates',
  description: 'Returns all of them, grouped by channel; within each channel the most recently updated first.',
  status: 200,
  query: z.object({ channel: z.enum(channels).optional() }),
  reply: z.array(template),
  refuses: ['invalid_request'],
});
