import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';

export const archiveTemplateContract = contract({
  summary: 'Delete a template',
  description:
    'The template is archived: it can no longer be read, listed, changed or used by a send. Messages that were sent with it are unchanged. whatsapp templates are deleted in the account’s own whatsapp business account.',
  status: 204,
  path: z.object({ id: z.string() }),
  refuses: ['template_not_found', 'conflict'],
  refusesWhen: { conflict: 'The template is a whatsapp template, which is read-only here.' },
});
