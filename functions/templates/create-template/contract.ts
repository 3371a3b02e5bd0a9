import type * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { withRules } from '../../../shared/http/fields.ts';
import { notBlank } from '../../../shared/kit/text.ts';
import { template } from '../../../shared/templates/template.ts';
import { templateFields, templateRules } from '../../../shared/templates/template-fields.ts';

type Fields = z.output<typeof templateFields>;

const filled = (field: keyof Fields) => ({ properties: { [field]: { pattern: notBlank } }, required: [field] });

/** The fields that each channel requires, in JSON Schema. */
const described = [
  {
    properties: { channel: { const: 'email' }, subject: { pattern: notBlank } },
    required: ['subject'],
    anyOf: [filled('htmlContent'), filled('textContent')],
  },
  { properties: { channel: { const: 'sms' } }, allOf: [filled('textContent')] },
];

export const createTemplateContract = contract({
  summary: 'Create a template',
  description:
    'The id can be used as `templateId` immediately. whatsapp templates are synced from the account’s own whatsapp business account and are read-only here.',
  example: {
    channel: 'email',
    name: 'Receipt',
    subject: 'Your receipt {{number}}',
    htmlContent: '<p>Thank you, {{name}}.</p>',
    textContent: 'Thank you, {{name}}.',
    variables: ['number', 'name'],
  },
  status: 201,
  body: withRules(templateFields, templateRules).meta({ anyOf: described }),
  reply: template,
  isReplayable: true,
  refuses: ['invalid_request', 'idempotency_conflict'],
});
