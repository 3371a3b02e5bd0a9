import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { Fault } from '../kit/fault.ts';
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

/** A template with its content. */
export interface WholeTemplate {
  readonly template: Template;
  readonly content: Partial<Content>;
}

/** A list of versions has no more: a program may change a template every hour. */
export const mostVersions = 1_000;

/** What a template was from one change to the next. Its body is shown by a preview only. */
export const templateVersion = template
  .pick({ name: true, description: true, subject: true, variables: true })
  .extend({
    version: z.int().min(1).describe('1 for the template as it was created; each change adds 1.'),
    createdAt: instant.describe('When this version began.'),
  })
  .meta({
    id: 'TemplateVersion',
    description: 'A template between two changes.',
    examples: [
      {
        name: 'Receipt',
        description: null,
        subject: 'Your receipt {{number}}',
        variables: ['number', 'name'],
        version: 1,
        createdAt: '2026-11-20T12:00:00.000Z',
      },
    ],
  });

export type TemplateVersion = z.output<typeof templateVersion>;

export const versionFrom = (version: number, state: Template): TemplateVersion =>
  templateVersion.parse({ ...state, version, createdAt: state.updatedAt });

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

/**
 * A template that may be changed here.
 * @throws Fault `conflict`: a whatsapp template, which is a copy of the one in the whatsapp business account
 */
export const editable = (found: Template): Template => {
  if (found.channel !== 'whatsapp') return found;
  throw new Fault('conflict', 'whatsapp templates are read-only here: change them in your whatsapp business account.');
};

/** What a change leaves out stays as it is; null empties it. */
export interface TemplateChange {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly subject?: string | null | undefined;
  readonly variables?: readonly string[] | null | undefined;
  readonly htmlContent?: string | null | undefined;
  readonly textContent?: string | null | undefined;
}

const changedTo = <T>(sent: T | null | undefined, before: T | undefined): T | undefined =>
  sent === undefined ? before : (sent ?? undefined);

/** A template after a change; the same object when nothing changes. An sms template has only text. */
export const changedTemplate = (before: WholeTemplate, sent: TemplateChange, nowMs: number): WholeTemplate => {
  const { template: was, content: said } = before;
  const isEmail = was.channel === 'email';
  const subject = isEmail ? (changedTo(sent.subject, was.subject) ?? '') : undefined;
  const { subject: _, ...unchanged } = was;
  const template = {
    ...unchanged,
    name: sent.name ?? was.name,
    description: changedTo(sent.description, was.description ?? undefined) ?? null,
    ...(subject !== undefined && { subject }),
    variables: [...(changedTo(sent.variables, was.variables) ?? [])],
  };
  const html = isEmail ? changedTo(sent.htmlContent, said.html) : undefined;
  const content = { subject, html, text: changedTo(sent.textContent, said.text) };
  if (isDeepStrictEqual([template, content], [was, { subject: said.subject, html: said.html, text: said.text }]))
    return before;
  const updatedMs = Math.max(nowMs, Date.parse(was.updatedAt) + 1);
  return { template: { ...template, updatedAt: iso(updatedMs) }, content };
};
