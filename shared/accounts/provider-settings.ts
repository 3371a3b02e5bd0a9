import * as z from 'zod';
import { countryShape, notACountry } from './country-code.ts';

/** Text without line breaks, safe in a header, a URL or a form. */
const secret = z.string().min(1).max(2_000);
const pointer = z.string().regex(/^(\/([^~/]|~[01])*)*$/, 'must be a JSON pointer such as /data/id');
const headerName = z.string().regex(/^[\w-]{1,100}$/, 'must have 1 to 100 letters, digits, hyphens and underscores');
/** Whether a field of an answer has one of these values, compared as text and case-insensitively. */
const sign = z.object({ at: pointer, isOneOf: z.array(z.string().max(200)).min(1).max(50) });

const filledIn =
  '`{{to}}` with its `+`, `{{toDigits}}` without it, `{{from}}`, `{{text}}`, `{{encoding}}`, `{{messageId}}` and `{{reportUrl}}` are replaced by their values here, in `headers` and in `body`. Values are percent-encoded in the url and in a form, and escaped in JSON and XML. In a header, non-ASCII characters are percent-encoded.';

/** Where a gateway writes an inbound message. */
export const inboundPointers = z.object({
  from: pointer,
  text: pointer,
  id: pointer.optional(),
  country: z
    .string()
    .regex(countryShape, notACountry)
    .optional()
    .describe(
      'The country whose numbers the gateway writes as they are dialled there, such as `BD` for `01712345678`.',
    ),
});

/** A gateway that is called over HTTP. */
const httpGateway = z.object({
  kind: z.literal('http'),
  url: z
    .string()
    .max(2_048)
    .regex(/^https?:\/\/[^\s{}/?#]+([/?#]\S*)?$/, 'must be an http(s) URL without placeholders in its host')
    .describe(filledIn),
  method: z.enum(['GET', 'POST', 'PUT']).default('POST'),
  headers: z.record(headerName, secret.regex(/^[^\r\n\0]*$/)).default({}),
  body: z
    .string()
    .max(10_000)
    .default('')
    .describe('If no header gives its content type: JSON if it begins with a brace or a bracket, otherwise a form.'),
  encodings: z
    .object({ gsm7: z.string().max(100), ucs2: z.string().max(100) })
    .optional()
    .describe(
      'What the gateway calls the two encodings of a text, for `{{encoding}}`: for example `text` and `unicode`, or `0` and `8`. Without it, `gsm7` and `ucs2`.',
    ),
  takesReference: z
    .boolean()
    .default(false)
    .describe(
      'True if the gateway deduplicates by `{{messageId}}`: a repeated request with the same id does not send the message again.',
    ),
  answer: z
    .object({
      accepted: sign.optional(),
      reference: pointer.optional(),
      code: pointer.optional(),
      reason: pointer.optional(),
    })
    .default({})
    .describe(
      'How to read a 2xx response, with JSON pointers. Without `accepted`, every 2xx means that the gateway accepted the message.',
    ),
  report: z
    .object({
      delivered: sign,
      failed: sign.optional(),
      rejected: sign.optional(),
      code: pointer.optional(),
      reason: pointer.optional(),
    })
    .optional()
    .describe('How to read a delivery report that is sent to `{{reportUrl}}` as JSON, as a form or in the query.'),
  inbound: inboundPointers
    .optional()
    .describe('Where an inbound message has its sender, its text and, if the gateway sends one, its id.'),
});

export const smsProvider = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('simulator') }),
  z.object({ kind: z.literal('aws'), configurationSetName: z.string().min(1).max(64).optional() }),
  httpGateway,
]);

export const whatsappProvider = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('simulator') }),
  z.object({
    kind: z.literal('meta'),
    phoneNumberId: z.string().regex(/^\d{1,30}$/),
    businessAccountId: z.string().regex(/^\d{1,30}$/),
    accessToken: secret,
    appSecret: secret,
    verifyToken: secret,
  }),
]);

export type InboundPointers = z.output<typeof inboundPointers>;
export type SmsProviderSettings = z.output<typeof smsProvider>;
export type HttpGatewaySettings = z.output<typeof httpGateway>;
export type WhatsappProviderSettings = z.output<typeof whatsappProvider>;
