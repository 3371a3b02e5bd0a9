import * as z from 'zod';
import { line } from '../kit/line.ts';
import { notBlank, text } from '../kit/text.ts';
import { mostSegments } from '../messages/segments.ts';

/** The fields of a template that a caller may write. */
export const templateFields = z.object({
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
  textContent: text({ atMost: 5_000 })
    .optional()
    .describe(
      `Required on sms; the plain-text alternative on email. A send or preview of an sms is refused if the text, with its variables expanded, has more than ${mostSegments} segments.`,
    ),
  variables: z
    .array(text({ atMost: 64 }).regex(/^[^{}]+$/, 'must be a name without braces'))
    .max(50)
    .optional()
    .describe('The names of the placeholders. They are not checked: a send may omit some of them or add others.'),
});

interface Required {
  readonly channel: string;
  readonly subject?: string | undefined;
  readonly htmlContent?: string | undefined;
  readonly textContent?: string | undefined;
}

/** What a template of each channel must have, when it is created and after each change. */
export const templateRules = [
  {
    field: 'subject',
    what: 'is required for email templates',
    isBroken: ({ channel, subject }: Required) => channel === 'email' && !subject?.trim(),
  },
  {
    field: 'htmlContent',
    named: 'htmlContent or textContent',
    what: 'at least one is required',
    isBroken: ({ channel, htmlContent, textContent }: Required) =>
      channel === 'email' && !htmlContent?.trim() && !textContent?.trim(),
  },
  {
    field: 'textContent',
    what: 'is required',
    isBroken: ({ channel, textContent }: Required) => channel === 'sms' && !textContent?.trim(),
  },
] as const;
