import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { templateVersion } from '../../../shared/templates/template.ts';

export const listVersionsContract = contract({
  summary: 'List the versions of a template',
  description: 'Returns all of them, the current one first. Every change is a version.',
  status: 200,
  path: z.object({ id: z.string() }),
  reply: z.array(templateVersion),
  refuses: ['template_not_found'],
});
