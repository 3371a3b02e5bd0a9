import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { template } from '../../../shared/templates/template.ts';

export const getTemplateContract = contract({
  summary: 'Get a template',
  description: 'Works for every channel. The content of the template is not returned.',
  status: 200,
  path: z.object({ id: z.string() }),
  reply: template,
  refuses: ['template_not_found'],
});
