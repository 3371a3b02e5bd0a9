import * as z from 'zod';
import { filledLinePattern, line } from '../kit/line.ts';
import { text } from '../kit/text.ts';
import { mostSegments } from '../messages/segments.ts';

export const mostOfTemplate = {
  name: 100,
  description: 500,
  subject: 255,
  htmlContent: 200_000,
  textContent: 5_000,
  variables: 50,
  variableName: 64,
} as const;

/** The fields of a template that a caller may write. */
export const templateFields = z.object({
  channel: z.enum(['email', 'sms']),
  name: line(text({ atMost: mostOfTemplate.name }))
    .refine((name) => name.trim() !== '', 'must not be blank')
    .meta({ minLength: 1, pattern: filledLinePattern }),
  description: text({ atMost: mostOfTemplate.description }).optional(),
  subject: line(text({ atMost: mostOfTemplate.subject }))
    .optional()
    .describe('Required on email; ignored on sms.'),
  htmlContent: text({ atMost: mostOfTemplate.htmlContent })
    .optional()
    .describe('Email only. An email template requires `htmlContent` or `textContent`.'),
  textContent: text({ atMost: mostOfTemplate.textContent })
    .optional()
    .describe(
      `Required on sms; the plain-text alternative on email. A send or preview of an sms is refused if the text, with its variables expanded, has more than ${mostSegments} segments.`,
    ),
  variables: z
    .array(text({ atMost: mostOfTemplate.variableName }).regex(/^[^{}]+$/, 'must be a name without braces'))
    .max(mostOfTemplate.variables)
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
