import * as z from 'zod';
import { contactStatuses, highestScore } from '../../../shared/contacts/contact.ts';
import { mostFilterTags } from '../../../shared/contacts/contact-filter.ts';
import { contract } from '../../../shared/http/contract.ts';
import { instantText, integerText } from '../../../shared/http/fields.ts';
import { exampleNewExport, exportDescription, exportReport } from '../../../shared/transfers/export.ts';

export const startContactExportContract = contract({
  summary: 'Export contacts to a CSV file',
  description: `Begins a file of all contacts that pass the filters of GET /contacts, oldest first. \`GET /contacts/exports/{id}\` reports the progress and has the link to the file. POST /contacts/import takes it. ${exportDescription}`,
  status: 202,
  query: z.object({
    search: z.string().default(''),
    status: z
      .enum(['ACTIVE', 'UNSUBSCRIBED', 'BOUNCED', 'COMPLAINED', 'QUARANTINED'])
      .transform((name) => contactStatuses.find((each) => each.toUpperCase() === name))
      .optional(),
    tags: z
      .string()
      .transform((list) => [...new Set(list.split(',').flatMap((tag) => tag.trim() || []))])
      .refine((list) => list.length <= mostFilterTags, `must be at most ${mostFilterTags} tags`)
      .meta({ description: 'Comma-separated. Matches contacts with any of these tags.', examples: ['vip,partner'] })
      .default([]),
    source: z
      .string()
      .meta({ examples: ['webinar'] })
      .optional(),
    createdAfter: instantText.optional().describe('ISO 8601; created at or after.'),
    createdBefore: instantText.optional().describe('ISO 8601; created at or before.'),
    minEngagementScore: integerText({ from: 0, to: highestScore }).optional(),
  }),
  reply: exportReport,
  replyExample: exampleNewExport,
  refuses: ['invalid_request'],
});
