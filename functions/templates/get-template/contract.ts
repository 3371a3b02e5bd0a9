import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { template } from '../../../shared/templates/template.ts';

export const getTemplateContract = contract({
  summary: 'Read one template',
  description: 'Of any channel. What it says is not returned.',
  status: 200,
  path: z.object({ id: z.string() }),
  reply: template,
  refuses: ['template_not_found'],
});
