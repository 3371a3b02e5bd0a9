import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { variables } from '../../../shared/messages/content.ts';

const rendered = z
  .object({
    subject: z.string().nullable().describe('Email only.'),
    html: z.string().nullable().describe('Email only.'),
    text: z.string().nullable(),
    missingVariables: z.array(z.string()).describe('Placeholders without a value. A send leaves them unchanged.'),
    unusedVariables: z.array(z.string()).describe('Values without a placeholder. A send ignores them.'),
    segments: z.int().nullable().describe('Sms only: the credits that a send of this text costs.'),
  })
  .meta({
    examples: [
      {
        subject: 'Your receipt 1042',
        html: '<p>Dear Ada, thank you for your order.</p>',
        text: 'Dear Ada, thank you for your order.',
        missingVariables: [],
        unusedVariables: [],
        segments: null,
      },
    ],
  });

export const previewTemplateContract = contract({
  summary: 'Preview a template',
  description:
    'Returns what a message with these variables says. Nothing is stored or sent. A message that is too long with its variables expanded is refused, as a send would be; without `variables`, the answer has the template’s own words, however long. A message whose content is more than 2.5 MB, names of unused variables included, is also refused; only a send takes it.',
  example: { variables: { number: '1042', name: 'Ada' } },
  status: 200,
  path: z.object({ id: z.string() }),
  body: z.object({
    variables: variables.optional(),
    version: z
      .int()
      .min(1)
      .optional()
      .describe('A version of `GET /templates/{id}/versions`; without it, the current one.'),
  }),
  reply: rendered,
  refuses: ['invalid_request', 'template_not_found'],
});
