import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { channels } from '../../../shared/messages/message.ts';
import { template } from '../../../shared/templates/template.ts';

export const listTemplatesContract = contract({
  summary: 'List templates',
  description:
    'Returns all of them, grouped by channel; within each channel the most recently updated first. A list of over 2.5 MB is 400 `invalid_request`: that is thousands of usual templates.',
  status: 200,
  query: z.object({ channel: z.enum(channels).optional() }),
  reply: z.array(template),
  refuses: ['invalid_request'],
});
