import * as z from 'zod';
import { exampleId, timeOfId } from '../kit/id.ts';
import { iso } from '../kit/time.ts';
import type { Content } from '../messages/content.ts';
import { type Channel, channels } from '../messages/message.ts';

/** WhatsApp's decision about a synced template. */
export const whatsappStatuses = ['APPROVED', 'PENDING', 'REJECTED', 'DISABLED'] as const;

const instant = z.string().meta({ format: 'date-time' });

/** Messaging specification, "Template". Its body is never returned. */
export const template = z
  .object({
    id: z.string().describe('A UUID, sent as `templateId`; clients must not rely on its format.'),
    channel: z.enum(channels),
    locale: z.string().describe('BCP 47: the language of a whatsapp template, `en` on the others.'),
    name: z.string(),
    description: z.string().nullable(),
    subject: z.string().optional().describe('Email templates only.'),
    variables: z.array(z.string()).describe('Names of placeholders, without braces.'),
    isActive: z.boolean(),
    whatsappStatus: z.enum(whatsappStatuses).optional().describe('Whatsapp templates only.'),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({
    id: 'Template',
    description: 'Reusable content of messages.',
    examples: [
      {
        id: exampleId,
        channel: 'email',
        locale: 'en',
        name: 'Receipt',
        description: null,
        subject: 'Your receipt {{number}}',
        variables: ['number', 'name'],
        isActive: true,
        createdAt: '2026-11-20T12:00:00.000Z',
        updatedAt: '2026-11-20T12:00:00.000Z',
      },
    ],
  });

export type Template = z.output<typeof template>;

/** The body of a template. */
export type TemplateBody = Partial<Pick<Content, 'html' | 'text'>>;

interface Asked {
  readonly channel: Exclude<Channel, 'whatsapp'>;
  readonly name: string;
  readonly description?: string | undefined;
  readonly subject?: string | undefined;
  readonly variables?: readonly string[] | undefined;
}

/** A new template: active, in the only language of templates that are not synced. */
export const newTemplate = (
  { channel, name, description, subject = '', variables = [] }: Asked,
  id: string,
): Template => ({
  id,
  channel,
  locale: 'en',
  name,
  description: description ?? null,
  ...(channel === 'email' && { subject }),
  variables: [...variables],
  isActive: true,
  createdAt: iso(timeOfId(id)),
  updatedAt: iso(timeOfId(id)),
});

/** Whether a message of this channel may use it. */
export const isSendable = ({ channel, isActive }: Template, by: Channel): boolean => channel === by && isActive;
