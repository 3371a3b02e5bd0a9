import * as z from 'zod';
import { rowsThatFit } from '../kit/cursor-page.ts';
import { Fault } from '../kit/fault.ts';
import type { Channel } from './message.ts';
import { filledIn, namesIn } from './placeholders.ts';
import { mostSegments, segmentsOf } from './segments.ts';

/** The content of a message. An email has a subject and at least one of html and text; other channels use only text. */
export interface Content {
  readonly subject: string | undefined;
  readonly html: string | undefined;
  readonly text: string | undefined;
}

type Field = keyof Content;
type Variables = Readonly<Record<string, string>>;

/** The field of a request that has the values of placeholders. */
export const variables = z
  .custom<Record<string, string>>(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      Object.values(value).every((entry) => typeof entry === 'string'),
    { error: 'must be an object of strings', abort: false },
  )
  .meta({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Values for `{{name}}` placeholders. A placeholder without a value is left unchanged.',
  });

export const longestSubject = 500;
export const longestFromName = 200;
const overlongSubject = new RegExp(`.{${longestSubject + 1}}`, 'su');

/** The length of an sms with the most segments, when every character is one septet. */
const longestSms = 1_530;
/** The WhatsApp Cloud API's limit. */
export const longestWhatsapp = 4_096;
const overlongWhatsapp = new RegExp(`.{${longestWhatsapp + 1}}`, 'su');

/**
 * Of one field: a short text can repeat a long value very often. SES refuses mails of 10 MB, and a worker has several of them in its memory at
 * once, of any accounts.
 */
export const mostFilledIn = 1_500_000;

interface Requirement {
  readonly field: Field;
  /** The name in the message, if it is more than the field. */
  readonly named?: string;
  readonly what: string;
  readonly isMet: (content: Partial<Content>) => boolean;
}

const text: Requirement = { field: 'text', what: 'is required', isMet: (content) => Boolean(content.text?.trim()) };

/** A value of another type is refused for its type, not as missing. */
const isFilled = (sent: unknown): boolean => (typeof sent === 'string' ? sent.trim() !== '' : Boolean(sent));

/** The required content of each channel. */
export const requirements: Readonly<Record<Channel, readonly Requirement[]>> = {
  email: [
    { field: 'subject', what: 'is required', isMet: ({ subject }) => Boolean(subject?.trim()) },
    {
      field: 'html',
      named: 'html or text',
      what: 'at least one is required',
      isMet: (content) => isFilled(content.html) || isFilled(content.text),
    },
  ],
  sms: [text],
  whatsapp: [text],
};

/** Other fields are ignored. */
const fieldsOf: Readonly<Record<Channel, readonly Field[]>> = {
  email: ['subject', 'html', 'text'],
  sms: ['text'],
  whatsapp: ['text'],
};

interface Limit {
  readonly what: string;
  readonly isExceeded: (content: Content) => boolean;
}

/** The length limits of a message with its variables expanded, by channel. */
const limits: Readonly<Record<Channel, Limit>> = {
  email: {
    what: `subject: must be at most ${longestSubject} characters with its variables expanded`,
    isExceeded: ({ subject = '' }) => overlongSubject.test(subject),
  },
  sms: {
    what: `text: must be at most ${mostSegments} segments with its variables expanded`,
    isExceeded: ({ text = '' }) => text.length > longestSms || segmentsOf(text).segments > mostSegments,
  },
  whatsapp: {
    what: `text: must be at most ${longestWhatsapp} characters with its variables expanded`,
    isExceeded: ({ text = '' }) => overlongWhatsapp.test(text),
  },
};

/** The names of the placeholders in what this channel uses of a content, in their order. */
export const placeholdersIn = (channel: Channel, content: Partial<Content>): readonly string[] =>
  namesIn(fieldsOf[channel].map((field) => content[field] ?? ''));

/**
 * The text with its values.
 * @throws Fault `invalid_request` when these are too long together
 */
const fill = (field: Field, text: string, variables: Variables): string => {
  let insertedLength = 0;
  return filledIn(field, text, variables, ({ length }) => {
    insertedLength += length;
    if (insertedLength > mostFilledIn)
      throw new Fault('invalid_request', 'variables: the expanded message is too long');
  });
};

type FilledIn = [inline: Partial<Content>, template: Partial<Content> | undefined, variables?: Variables];

/**
 * What a message says, however long it is: field by field, inline content wins over the template's. A field that is empty or blank counts as none.
 * @throws Fault `invalid_request` when that leaves something out that the channel requires
 */
export const wordsOf = (channel: Channel, ...[inline, template, variables = {}]: FilledIn): Content => {
  const chosen = contentBy((field) => (inline[field]?.trim() ? inline[field] : template?.[field]));
  const content = contentBy((field) => {
    if (!fieldsOf[channel].includes(field)) return undefined;
    const text = fill(field, chosen[field] ?? '', variables);
    return text.trim() ? text : undefined;
  });
  const missing = requirements[channel].filter(({ isMet }) => !isMet(content));
  if (missing.length > 0) throw new Fault('invalid_request', missing.map((each) => missingIn(chosen, each)).join('; '));
  return content;
};

const contentBy = (textOf: (field: Field) => string | undefined): Content => ({
  subject: textOf('subject'),
  html: textOf('html'),
  text: textOf('text'),
});

/** What is there before its variables are expanded is not missing: one of them is blank. */
const missingIn = (chosen: Content, { field, named = field, what, isMet }: Requirement): string =>
  `${named}: ${isMet(chosen) ? 'must not be blank with its variables expanded' : what}`;

/**
 * The message that is sent.
 * @throws Fault `invalid_request` when it leaves something out that the channel requires, or is more than it takes
 */
export const contentOf = (channel: Channel, ...parts: FilledIn): Content => {
  const content = wordsOf(channel, ...parts);
  const { what, isExceeded } = limits[channel];
  if (isExceeded(content)) throw new Fault('invalid_request', what);
  return content;
};

/**
 * A message that a preview shows.
 * @throws Fault `invalid_request` when it does not fit in an answer: a mail may be longer
 */
export const shownContent = (content: Content): Content => {
  const { html = '', text = '' } = content;
  if (rowsThatFit([html, text], Buffer.byteLength) < 2)
    throw new Fault('invalid_request', 'html, text: the expanded message is too long to be shown');
  return content;
};
