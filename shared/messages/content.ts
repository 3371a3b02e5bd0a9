import { Fault } from '../kit/fault.ts';
import { asLine } from '../kit/line.ts';
import type { Channel } from './message.ts';
import { mostSegments, segmentsOf } from './segments.ts';

/** What a message says. On email there is a subject and at least one of html and text; elsewhere only text counts. */
export interface Content {
  readonly subject: string | undefined;
  readonly html: string | undefined;
  readonly text: string | undefined;
}

type Field = keyof Content;
type Variables = Readonly<Record<string, string>>;

export const longestSubject = 500;
const overlongSubject = new RegExp(`.{${longestSubject + 1}}`, 'su');

/** As long as an sms of the most segments can be, where every character takes one septet. */
const longestSms = 1_530;
/** As long as the WhatsApp Cloud API takes a text. */
export const longestWhatsapp = 4_096;
const overlongWhatsapp = new RegExp(`.{${longestWhatsapp + 1}}`, 'su');

/** A short text can repeat a long value very often; no mail of this size would be delivered anyway. */
export const mostFilledIn = 10_000_000;

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** What becomes of a value where it is put in. */
const shapes: Readonly<Record<Field, (value: string) => string>> = {
  subject: asLine,
  html: (value) => value.replace(/[&<>"']/g, (mark) => escapes[mark] ?? mark),
  text: (value) => value,
};

interface Requirement {
  readonly field: Field;
  /** What the message names, where that is more than the field. */
  readonly named?: string;
  readonly what: string;
  readonly isMet: (content: Partial<Content>) => boolean;
}

const text: Requirement = { field: 'text', what: 'is required', isMet: (content) => Boolean(content.text?.trim()) };

/** What is no text at all is refused for that, not as missing. */
const isFilled = (sent: unknown): boolean => (typeof sent === 'string' ? sent.trim() !== '' : Boolean(sent));

/** What a message of each channel cannot be without. */
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

/** How much a message may say once its variables are filled in, by channel. */
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

/**
 * Puts values into `{{name}}` placeholders, in one pass: a value is never read again for placeholders. A placeholder without
 * a value of its own stays as it is, and so does everything that an object merely inherits.
 */
const fill = (field: Field, text: string, variables: Variables): string => {
  const values = new Map(Object.entries(variables).map(([name, value]) => [name, shapes[field](value)]));
  let filledIn = 0;
  return text.replace(/\{\{([^{}]*)\}\}/g, (placeholder, name: string) => {
    const value = values.get(name.trim()) ?? placeholder;
    filledIn += value.length;
    if (filledIn > mostFilledIn) throw new Fault('invalid_request', 'variables: the expanded message is too long');
    return value;
  });
};

/**
 * The message that is sent: field by field, inline content wins over the template's. A field that is empty or blank counts as none.
 * @throws Fault `invalid_request` when that leaves something out that the channel requires, or is more than it takes
 */
export const contentOf = (
  channel: Channel,
  inline: Partial<Content>,
  template: Partial<Content> | undefined,
  variables: Variables = {},
): Content => {
  const filled = (field: Field): string | undefined => {
    if (!fieldsOf[channel].includes(field)) return undefined;
    const chosen = inline[field]?.trim() ? inline[field] : template?.[field];
    const text = fill(field, chosen ?? '', variables);
    return text.trim() ? text : undefined;
  };
  const content = { subject: filled('subject'), html: filled('html'), text: filled('text') };
  const missing = requirements[channel].filter(({ isMet }) => !isMet(content));
  if (missing.length > 0) {
    throw new Fault('invalid_request', missing.map(({ field, named = field, what }) => `${named}: ${what}`).join('; '));
  }
  const { what, isExceeded } = limits[channel];
  if (isExceeded(content)) throw new Fault('invalid_request', what);
  return content;
};
