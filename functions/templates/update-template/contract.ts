import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { template } from '../../../shared/templates/template.ts';
import { templateFields } from '../../../shared/templates/template-fields.ts';

const { channel, name, description, subject, htmlContent, textContent, variables } = templateFields.shape;

export const updateTemplateContract = contract({
  summary: 'Update a template',
  description:
    'Omitted fields are unchanged; `null` clears a field, except `name` and `channel`, which it leaves unchanged. The channel of a template cannot be changed. Sends use the change at once. What the template was before is kept as a version. whatsapp templates are changed in the account’s own whatsapp business account.',
  example: { subject: 'Your receipt {{number}} from {{shop}}' },
  status: 200,
  path: z.object({ id: z.string() }),
  body: z.object({
    channel: channel.optional().describe('Only the channel that the template has.'),
    name: name.optional(),
    description: description.nullable(),
    subject: subject.nullable(),
    htmlContent: htmlContent.nullable(),
    textContent: textContent.nullable(),
    variables: variables.nullable(),
  }),
  reply: template,
  refuses: ['invalid_request', 'template_not_found', 'conflict'],
  refusesWhen: { conflict: 'The template is a whatsapp template, which is read-only here.' },
});
