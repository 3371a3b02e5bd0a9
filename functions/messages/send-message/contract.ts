import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { verbatimObject } from '../../../shared/http/fields.ts';
import { headerText } from '../../../shared/http/text.ts';
import { attachments } from '../../../shared/messages/attachment.ts';
import { channels, message } from '../../../shared/messages/message.ts';
import { emailAddress } from '../../../shared/messages/recipient.ts';

/** A message is one item of the table, and an item holds 400 KB. */
const mostTagBytes = 50_000;
const mostMetadataBytes = 250_000;

const isWithin = (bytes: number) => (value: unknown) => Buffer.byteLength(JSON.stringify(value)) <= bytes;

const fields = z.object({
  channel: z.enum(channels),
  to: z.string(),
  subject: headerText({ atMost: 500 }).optional(),
  html: z.string().optional(),
  text: z.string().optional(),
  from: z.string().optional(),
  fromName: headerText({ atMost: 200 })
    .refine((name) => !name.includes('"'), 'must not have double quotes')
    .optional(),
  replyTo: z.string().optional(),
  templateId: z.string().optional(),
  variables: z
    .custom<Record<string, string>>(
      (value) =>
        verbatimObject.safeParse(value).success &&
        Object.values(value as object).every((entry) => typeof entry === 'string'),
      'must be an object of strings',
    )
    .optional(),
  tags: z.array(z.string()).refine(isWithin(mostTagBytes), `must be at most ${mostTagBytes} bytes in all`).optional(),
  metadata: verbatimObject
    .refine(isWithin(mostMetadataBytes), `must be at most ${mostMetadataBytes} bytes of JSON`)
    .optional(),
  attachments: attachments.optional(),
});

type Fields = z.output<typeof fields>;
type Rule = readonly [
  field: keyof Fields,
  what: string,
  isBroken: (body: Fields) => boolean,
  code?: 'invalid_attachment',
];

const isEmail = ({ channel }: Fields): boolean => channel === 'email';

/** What depends on more than one field. `to` is checked after the template, by the handler. */
const rules: readonly Rule[] = [
  ['subject', 'is required', (body) => isEmail(body) && !body.templateId && !body.subject],
  ['html', 'or text is required', (body) => isEmail(body) && !body.templateId && !body.html && !body.text],
  ['text', 'is required', (body) => !isEmail(body) && !body.templateId && !body.text],
  ['from', 'must be an email address', (body) => isEmail(body) && body.from !== undefined && !emailAddress(body.from)],
  [
    'replyTo',
    'must be an email address',
    (body) => isEmail(body) && body.replyTo !== undefined && !emailAddress(body.replyTo),
  ],
  [
    'attachments',
    'are for email only',
    (body) => !isEmail(body) && Boolean(body.attachments?.length),
    'invalid_attachment',
  ],
];

export const sendMessageContract = contract({
  summary: 'Send one message by email, sms or whatsapp',
  status: 201,
  body: fields.superRefine((body, context) => {
    for (const [field, what, isBroken, code] of rules) {
      if (isBroken(body)) context.addIssue({ code: 'custom', path: [field], message: what, params: { code } });
    }
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
