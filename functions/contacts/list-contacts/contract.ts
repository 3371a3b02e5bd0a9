import * as z from 'zod';
import { contact, contactStatuses } from '../../../shared/contacts/contact.ts';
import { mostFilterTags, sortColumns } from '../../../shared/contacts/contact-filter.ts';
import { mostIndexRows, mostLoaded, mostLoadedForRows } from '../../../shared/contacts/list-plan.ts';
import { contract } from '../../../shared/http/contract.ts';
import { instantText, integerText, largestInteger } from '../../../shared/http/fields.ts';
import { grouped } from '../../../shared/kit/grouped.ts';

const status = z
  .enum(['ACTIVE', 'UNSUBSCRIBED', 'BOUNCED', 'COMPLAINED', 'QUARANTINED'])
  .transform((name) => contactStatuses.find((each) => each.toUpperCase() === name));

const tags = z
  .string()
  .transform((list) => [...new Set(list.split(',').filter((tag) => tag.trim() !== ''))])
  .refine((list) => list.length <= mostFilterTags, `must be at most ${mostFilterTags} tags`)
  // A space may follow the comma, or begin the tag.
  .transform((list) => [...new Set(list.flatMap((tag) => [tag, tag.trim()]))])
  .meta({
    description: `Comma-separated, at most ${mostFilterTags}. Matches contacts with any of these tags.`,
    examples: ['vip,partner'],
  });

export const listContactsContract = contract({
  summary: 'List contacts',
  description: `A response costs as much as the contacts that match its filters: all are counted, those of several filters one after the other until ${mostLoaded} are left, or up to ${grouped(mostLoadedForRows)} where a status or a score that many have comes next. With filters and a \`sortBy\` other than \`createdAt\`, it costs as much as all contacts of the account if more than ${grouped(mostLoadedForRows)} match. If it, or a late page, takes reading more than about ${grouped(mostIndexRows)} contacts, the response is 400 \`invalid_request\`: add a filter that few contacts match, or use \`GET /contacts/export\`.`,
  status: 200,
  query: z.object({
    page: integerText({ from: 1 }).default(1),
    limit: integerText({ from: 1, to: 100 }).default(20),
    search: z
      .string()
      .default('')
      .meta({
        description:
          'One or more words, which must all match: a whole email, a whole phone, or the start of any word of the name. Letter case and accents do not matter: `lukasz` finds Łukasz.',
        examples: ['ada love'],
      }),
    status: status.optional(),
    tags: tags.default([]),
    source: z
      .string()
      .meta({ description: 'Matches the exact source.', examples: ['webinar'] })
      .optional(),
    createdAfter: instantText.optional().describe('ISO 8601; created at or after.'),
    createdBefore: instantText.optional().describe('ISO 8601; created at or before.'),
    minEngagementScore: integerText({ from: -largestInteger })
      .optional()
      .describe(
        `At or above; scores are 0 to 100. Where more than ${mostLoaded} contacts have its tens or more, those can be missing whose score has come to it within these tens: from 50 to 57, for example.`,
      ),
    sortBy: z
      .enum(sortColumns)
      .default('createdAt')
      .describe(`Of more than ${mostLoaded} contacts, \`engagementScore\` is in the order of tens.`),
    sortOrder: z.enum(['asc', 'desc']).default('desc'),
  }),
  reply: z.array(contact),
  beside: z.object({
    pagination: z
      .object({ page: z.int(), limit: z.int(), total: z.int(), totalPages: z.int() })
      .meta({ examples: [{ page: 1, limit: 20, total: 1, totalPages: 1 }] }),
  }),
  refuses: ['invalid_request'],
});
