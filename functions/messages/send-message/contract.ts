import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { jsonText, type Rule, verbatimObject, withRules } from '../../../shared/http/fields.ts';
import { characters, notBlank } from '../../../shared/http/text.ts';
import { line, lineFault, linePattern } from '../../../shared/kit/line.ts';
import { attachments } from '../../../shared/messages/attachment.ts';
import { longestSubject, longestWhatsapp, requirements } from '../../../shared/messages/content.ts';
import { channels, message, mostMetadataBytes, mostTagBytes, textChannels } from '../../../shared/messages/message.ts';
import { emailAddress, emailPattern, longestRecipient, phonePattern } from '../../../shared/messages/recipient.ts';
import { mostSegments } from '../../../shared/messages/segments.ts';

const longestFromName = 200;

const isWithin = (bytes: number) => (value: unknown) => Buffer.byteLength(JSON.stringify(value)) <= bytes;

const fields = z.object({
  channel: z.enum(channels),
  to: z.string().meta({
    maxLength: longestRecipient,
    description:
      'An email address, or a phone number in E.164 form of 7 to 15 digits; without the `+`, 8 digits or more that are a valid international number.',
  }),
  subject: z
    .string()
    .optional()
    .describe(
      `Required on email without \`templateId\`, at most ${longestSubject} characters and without control characters; ignored elsewhere.`,
    ),
  html: z.string().optional().describe('Email only; email without `templateId` needs `html` or `text`.'),
  text: z
    .string()
    .optional()
    .describe(
      `Required on sms and whatsapp without \`templateId\`; the plain-text alternative on email. With its variables at most ${mostSegments} segments on sms and ${longestWhatsapp.toLocaleString('en')} characters on whatsapp.`,
    ),
  from: z
    .string()
    .optional()
    .describe('Email only. On a domain that is not verified the platform’s address takes its place.'),
  fromName: z
    .string()
    .optional()
    .describe(`Email only: at most ${longestFromName} characters, without control characters and double quotes.`),
  replyTo: z.string().optional().describe('Email only: an email address.'),
  listUnsubscribe: z
    .boolean()
    .optional()
    .describe(
      'Email only: `false` leaves out the List-Unsubscribe headers, for login codes and the like. By default what the account has set, else `true`.',
    ),
  templateId: z
    .string()
    .optional()
    .describe('The id of a template of the same channel. Inline content wins, field by field.'),
  variables: z
    .custom<Record<string, string>>(
      (value) =>
        verbatimObject.safeParse(value).success &&
        Object.values(value as object).every((entry) => typeof entry === 'string'),
      'must be an object of strings',
    )
    .meta({ type: 'object', additionalProperties: { type: 'string' } })
    .optional()
    .describe('Values of `{{name}}` placeholders. A placeholder without a value stays as it is.'),
  tags: z
    .array(line(z.string()))
    .refine(isWithin(mostTagBytes), `must be at most ${mostTagBytes} bytes in all`)
    .optional()
    .describe(`Kept and returned, not filterable; at most ${mostTagBytes.toLocaleString('en')} bytes of JSON.`),
  metadata: verbatimObject
    .pipe(jsonText({ atMostBytes: mostMetadataBytes }))
    .optional()
    .describe(
      `Returned on reads and on every webhook as the JSON text that was sent, numbers, order of keys and blanks included; at most ${mostMetadataBytes.toLocaleString('en')} bytes.`,
    ),
  attachments: attachments.optional(),
});

type Fields = z.output<typeof fields>;

const isEmail = ({ channel }: Fields): boolean => channel === 'email';
const isTexting = ({ channel }: Fields): boolean => channel === 'sms' || channel === 'whatsapp';
const isBad = (address: string | undefined): boolean => address !== undefined && !emailAddress(address);

/** Text that becomes part of a mail's header: a line break would end the header and begin another. */
const headerRules = (field: 'subject' | 'fromName', atMost: number): readonly Rule<Fields>[] => [
  {
    field,
    what: `must be at most ${atMost} characters`,
    isBroken: (body) => isEmail(body) && characters(body[field] ?? '') > atMost,
  },
  {
    field,
    what: (body) => lineFault(body[field] ?? ''),
    isBroken: (body) => isEmail(body) && lineFault(body[field] ?? '') !== undefined,
  },
];

/** What depends on more than one field. `to` is checked after the template, by the handler. */
const rules: readonly Rule<Fields>[] = [
  ...channels.flatMap((channel) =>
    requirements[channel].map(({ field, named, what, isMet }) => ({
      field,
      named,
      what,
      isBroken: (body: Fields) => body.channel === channel && !body.templateId && !isMet(body),
    })),
  ),
  ...headerRules('subject', longestSubject),
  ...headerRules('fromName', longestFromName),
  {
    field: 'fromName',
    what: 'must not have double quotes',
    isBroken: (body) => isEmail(body) && body.fromName?.includes('"') === true,
  },
  { field: 'from', what: 'must be an email address', isBroken: (body) => isEmail(body) && isBad(body.from) },
  { field: 'replyTo', what: 'must be an email address', isBroken: (body) => isEmail(body) && isBad(body.replyTo) },
  {
    field: 'attachments',
    what: 'are for email only',
    isBroken: (body) => isTexting(body) && Boolean(body.attachments?.length),
    code: 'invalid_attachment',
  },
];

const email = { pattern: emailPattern };
const phone = { pattern: phonePattern };
const present = (field: keyof Fields) => ({ properties: { [field]: { pattern: notBlank } }, required: [field] });

/** The rules between fields, as JSON Schema says them. */
const described = {
  allOf: [
    {
      anyOf: [
        {
          properties: {
            channel: { const: 'email' },
            to: email,
            subject: { maxLength: longestSubject, pattern: linePattern },
            fromName: { maxLength: longestFromName, pattern: linePattern.replace('[^', '[^"') },
            from: email,
            replyTo: email,
          },
        },
        { properties: { channel: { enum: textChannels }, to: phone, attachments: { maxItems: 0 } } },
      ],
    },
    {
      anyOf: [
        present('templateId'),
        {
          properties: { channel: { const: 'email' } },
          allOf: [present('subject'), { anyOf: [present('html'), present('text')] }],
        },
        { properties: { channel: { enum: textChannels } }, allOf: [present('text')] },
      ],
    },
  ],
};

export const sendMessageContract = contract({
  summary: 'Send one message by email, sms or whatsapp',
  description:
    'An email is sent within the request and costs one credit. An sms or whatsapp message passes the compliance gate and is queued; an sms costs one credit for each segment, whatsapp none. An sms takes the contact’s consent, which operators record, START gives and STOP withdraws; whatsapp takes that the recipient has written within the last 24 hours, and is delivered as free text whatever `templateId` is given. The recipient becomes a contact if there is none.',
  example: {
    channel: 'email',
    to: 'ada@example.com',
    subject: 'Your receipt',
    text: 'Thank you, {{name}}.',
    variables: { name: 'Ada' },
    tags: ['receipt'],
    metadata: { orderId: '1042' },
  },
  status: 201,
  body: withRules(fields, rules).meta({
    description: 'A message carries content of its own, a `templateId`, or both.',
    ...described,
  }),
  reply: message,
  isReplayable: true,
  refuses: [
    'invalid_request',
    'invalid_recipient',
    'invalid_attachment',
    'attachment_too_large',
    'insufficient_credits',
    'template_not_found',
    'idempotency_conflict',
    'send_blocked',
  ],
});
