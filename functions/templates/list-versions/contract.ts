import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { mostVersions, templateVersion } from '../../../shared/templates/template.ts';

export const listVersionsContract = contract({
  summary: 'List the versions of a template',
  description: `Returns the current one first, up to ${mostVersions} of them and 2.5 MB. Every change is a version. The numbers show whether there are earlier ones: a preview shows each by its number.`,
  status: 200,
  path: z.object({ id: z.string() }),
  reply: z.array(templateVersion),
  refuses: ['template_not_found'],
});
