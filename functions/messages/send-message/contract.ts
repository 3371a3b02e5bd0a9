import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { instantText, jsonText, type Rule, verbatimObject, withRules } from '../../../shared/http/fields.ts';
import { grouped } from '../../../shared/kit/grouped.ts';
import { line, lineFault, linePattern } from '../../../shared/kit/line.ts';
import { characters, notBlank } from '../../../shared/kit/text.ts';
import { areTooLarge, attachments, tooLarge } from '../../../shared/messages/attachment.ts';
import {
  longestFromName,
  longestSubject,
  longestWhatsapp,
  requirements,
  variables,
} from '../../../shared/messages/content.ts';
import { emailAddress, emailKind, emailPattern, longestRecipient } from '../../../shared/messages/email-address.ts';
import { channels, message, mostMetadataBytes, mostTagBytes, textChannels } from '../../../shared/messages/message.ts';
import { phonePattern } from '../../../shared/messages/recipient.ts';
import { mostSegments } from '../../../shared/messages/segments.ts';
import { mostAheadDays } from '../../../shared/messages/send-time.ts';

const isWithin = (bytes: number) => (value: unknown) => Buffer.byteLength(JSON.stringify(value)) <= bytes;

const oneRecipient = 'must be one recipient, not an array: POST /messages/batch takes up to 100 messages';

const fields = z.object({
  channel: z.enum(channels),
  to: z.string({ error: ({ input }) => (Array.isArray(input) ? oneRecipient : undefined) }).meta({
    maxLength: longestRecipient,
    description:
      'An email address, or a phone number in E.164 format with 7 to 15 digits. Without the `+`, a valid international number of 8 digits or more is accepted.',
  }),
  subject: z
    .string()
    .optional()
    .describe(
      `Required on email without \`templateId\`, at most ${longestSubject} characters and without control characters; ignored on sms and whatsapp.`,
    ),
  html: z.string().optional().describe('Email only. An email without `templateId` requires `html` or `text`.'),
  text: z
    .string()
    .optional()
    .describe(
      `Required on sms and whatsapp without \`templateId\`; the plain-text alternative on email. With its variables expanded, at most ${mostSegments} segments on sms and ${grouped(longestWhatsapp)} characters on whatsapp.`,
    ),
  from: z
    .string()
    .optional()
    .describe('Email only. If its domain is not verified, the platform’s address is used instead.'),
  fromName: z
    .string()
    .optional()
    .describe(`Email only: at most ${longestFromName} characters, without control characters or double quotes.`),
  replyTo: z.string().optional().describe('Email only: an email address.'),
  listUnsubscribe: z
    .boolean()
    .optional()
    .describe(
      'Email only: `false` omits the List-Unsubscribe headers, for example for login codes. The default is the account’s setting, else `true`.',
    ),
  templateId: z
    .string()
    .optional()
    .describe('The id of a template of the same channel. Inline fields override the template’s fields.'),
  variables: variables.optional(),
  tags: z
    .array(line(z.string()))
    .refine(isWithin(mostTagBytes), `must be at most ${mostTagBytes} bytes in total`)
    .optional()
    .describe(`Stored and returned, not filterable; at most ${grouped(mostTagBytes)} bytes of JSON.`),
  metadata: verbatimObject
    .pipe(jsonText({ atMostBytes: mostMetadataBytes }))
    .optional()
    .describe(
      `Returned on reads and in every webhook exactly as it was sent, including number formats, key order and spaces; at most ${grouped(mostMetadataBytes)} bytes.`,
    ),
  attachments: attachments.optional(),
  expiresInSeconds: z
    .int()
    .min(60)
    .max(86_400)
    .optional()
    .describe(
      'A text that its provider has not been given by then is not sent: it ends `failed` with the code `expired`, and its credits are returned. AWS, which has it earlier, stops trying then too. For example, 120 for a login code. On a scheduled text it counts from `scheduledAt`. Ignored on email.',
    ),
  sendAt: instantText
    .optional()
    .describe(
      `Sends the message later: an ISO 8601 time from 1 minute to ${mostAheadDays} days ahead, in UTC where it has no offset. The message is accepted and paid for now, and is \`queued\` with its \`scheduledAt\` until then. Quiet hours, frequency cap and whatsapp window are asked at that time: quiet hours move the message to their end; if another rule blocks it then, it ends \`failed\` with the code \`send_blocked\`, and its credits are returned.`,
    ),
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
    what: 'must not contain double quotes',
    isBroken: (body) => isEmail(body) && body.fromName?.includes('"') === true,
  },
  {
    field: 'from',
    what: ({ from }) =>
      from?.includes('<') ? 'must be an email address alone: the name goes in fromName' : 'must be an email address',
    isBroken: (body) => isEmail(body) && isBad(body.from),
  },
  {
    field: 'replyTo',
    what: ({ replyTo = '' }) => `must be ${emailKind(replyTo)}`,
    isBroken: (body) => isEmail(body) && isBad(body.replyTo),
  },
  {
    field: 'attachments',
    what: 'are allowed on email only',
    isBroken: (body) => isTexting(body) && Boolean(body.attachments?.length),
    code: 'invalid_attachment',
  },
  {
    field: 'attachments',
    what: tooLarge,
    isBroken: (body) => isEmail(body) && areTooLarge(body.attachments ?? []),
    code: 'attachment_too_large',
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
    'An email is sent within the request and costs one credit. If the provider refuses it, the response is 201 with the `status` `failed` and a `failureCode`, and the credit is returned. If the provider’s response was lost, the `status` is `sending`; if its sending rate is exceeded, the `status` is `queued` and the email is sent later. An event reports the outcome. An sms or whatsapp message passes the compliance gate and is queued. An sms costs one credit for each segment, a whatsapp message costs none. An sms requires the contact’s consent: you record it, START gives it and STOP withdraws it. whatsapp requires a message from the recipient in the last 24 hours, and is delivered as free text, also with a `templateId`. If no contact has this recipient, one is created.',
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
    description: 'A message has inline content, a `templateId`, or both.',
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
