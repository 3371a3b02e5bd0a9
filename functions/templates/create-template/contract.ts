import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { type Rule, withRules } from '../../../shared/http/fields.ts';
import { notBlank, text } from '../../../shared/http/text.ts';
import { line } from '../../../shared/kit/line.ts';
import { template } from '../../../shared/templates/template.ts';

const fields = z.object({
  channel: z.enum(['email', 'sms']),
  name: line(text({ atMost: 100 }))
    .refine((name) => name.trim() !== '', 'must not be blank')
    .meta({ minLength: 1, pattern: notBlank }),
  description: text({ atMost: 500 }).optional(),
  subject: line(text({ atMost: 255 }))
    .optional()
    .describe('Required on email; ignored on sms.'),
  htmlContent: text({ atMost: 200_000 })
    .optional()
    .describe('Email only. An email template requires `htmlContent` or `textContent`.'),
  textContent: text({ atMost: 5_000 }).optional().describe('Required on sms; the plain-text alternative on email.'),
  variables: z
    .array(text({ atMost: 64 }).regex(/^[^{}]+$/, 'must be a name without braces'))
    .max(50)
    .optional()
    .describe('The names of the placeholders. They are not checked: a send may omit some of them or add others.'),
});

type Fields = z.output<typeof fields>;

const filled = (field: keyof Fields) => ({ properties: { [field]: { minLength: 1 } }, required: [field] });

const rules: readonly Rule<Fields>[] = [
  {
    field: 'subject',
    what: 'is required for email templates',
    isBroken: ({ channel, subject }) => channel === 'email' && !subject?.trim(),
  },
  {
    field: 'htmlContent',
    named: 'htmlContent or textContent',
    what: 'at least one is required',
    isBroken: ({ channel, htmlContent, textContent }) => channel === 'email' && !htmlContent && !textContent,
  },
  {
    field: 'textContent',
    what: 'is required',
    isBroken: ({ channel, textContent }) => channel === 'sms' && !textContent,
  },
];

/** The same as JSON Schema says it. */
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
  body: withRules(fields, rules).meta({ anyOf: described }),
  reply: template,
  isReplayable: true,
  refuses: ['invalid_request', 'idempotency_conflict'],
});
