import * as z from 'zod';
import { currencies, longest, mostAmountMinor, mostMetadata } from '../../../shared/checkout/new-session.ts';
import { isReturnUrl, longestReturnUrl } from '../../../shared/checkout/return-url.ts';
import { eligibleMethod, sessionStatuses } from '../../../shared/checkout/session.ts';
import { contract } from '../../../shared/http/contract.ts';
import { jsonText, verbatimObject } from '../../../shared/http/fields.ts';
import { exampleId } from '../../../shared/kit/id.ts';
import { characters, text } from '../../../shared/kit/text.ts';
import { emailAddress, emailPattern } from '../../../shared/messages/recipient.ts';

const isEvery = (test: (key: string, value: unknown) => boolean) => (map: Record<string, unknown>) =>
  Object.entries(map).every(([key, value]) => test(key, value));

const isWithin = (value: unknown, atMost: number): boolean => typeof value !== 'string' || characters(value) <= atMost;

const metadata = verbatimObject
  .refine(
    isEvery((_, value) => typeof value === 'string'),
    'must have string values only',
  )
  .refine((map) => Object.keys(map).length <= mostMetadata.keys, `must have at most ${mostMetadata.keys} keys`)
  .refine(
    isEvery((key) => isWithin(key, mostMetadata.keyCharacters)),
    `must have keys of at most ${mostMetadata.keyCharacters} characters`,
  )
  .refine(
    isEvery((_, value) => isWithin(value, mostMetadata.valueCharacters)),
    `must have values of at most ${mostMetadata.valueCharacters} characters`,
  )
  .meta({ additionalProperties: { type: 'string', maxLength: mostMetadata.valueCharacters } })
  .pipe(jsonText({ atMostBytes: mostMetadata.bytes }));

const returnUrl = z
  .string()
  .refine(isReturnUrl, `must be an absolute https URL of at most ${longestReturnUrl} characters without user info`)
  .meta({ maxLength: longestReturnUrl });

const payerEmail = text({ atMost: longest.email })
  .refine((email) => emailAddress(email) !== undefined, 'must be one email address')
  .meta({ format: 'idn-email', pattern: emailPattern });

export const createSessionContract = contract({
  summary: 'Create a checkout session',
  description: 'Redirect the payer to `url`. A signed webhook reports the result of the payment.',
  example: {
    amountMinor: 600_000,
    currency: 'BDT',
    description: 'Order 1042',
    customer: { name: 'Ada', email: 'ada@example.com' },
    successUrl: 'https://shop.example/thanks?session={CHECKOUT_SESSION_ID}',
    cancelUrl: 'https://shop.example/cart',
    metadata: { orderId: '1042' },
  },
  status: 201,
  body: z.object({
    amountMinor: z.int().min(1).max(mostAmountMinor).describe('In minor units: 6,000.00 is 600000.'),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, { error: 'must be a currency code of three capital letters', abort: true })
      .refine((code) => currencies.includes(code), {
        error: 'is not enabled for this merchant',
        params: { code: 'unsupported_currency' },
      })
      .describe(`ISO 4217; currently ${currencies.map((code) => `\`${code}\``).join(', ')}.`),
    description: text({ atMost: longest.description }).optional().describe('Shown to the payer and on the receipt.'),
    customer: z
      .object({
        name: text({ atMost: longest.name }).exactOptional(),
        email: payerEmail.exactOptional(),
        phone: text({ atMost: longest.phone }).exactOptional(),
      })
      .optional(),
    successUrl: returnUrl
      .optional()
      .describe('Where the payer returns after paying. `{CHECKOUT_SESSION_ID}` is replaced by the session’s id.'),
    cancelUrl: returnUrl
      .optional()
      .describe(
        'Where the payer returns after cancelling or a failed payment. `{CHECKOUT_SESSION_ID}` is replaced here too.',
      ),
    metadata: metadata
      .optional()
      .describe(
        `A map of strings, returned verbatim in webhooks: up to ${mostMetadata.keys} keys of ${mostMetadata.keyCharacters} characters, values of up to ${mostMetadata.valueCharacters}.`,
      ),
    invoiceId: text({ atMost: longest.invoiceId })
      .optional()
      .describe('Your own invoice reference, shown on the receipt.'),
  }),
  reply: z.object({
    id: z.string().meta({ examples: [exampleId] }),
    status: z.enum(sessionStatuses),
    amountMinor: z.int().meta({ examples: [600_000] }),
    currency: z.string().meta({ examples: ['BDT'] }),
    url: z.string().meta({
      description: 'The hosted page, where the payer pays.',
      examples: [`https://pay.example/checkout/${exampleId}`],
    }),
    eligibleMethods: z.array(eligibleMethod).describe('The payment methods that the payer can choose from.'),
    livemode: z.boolean().meta({ description: '`false` with a test key: no money moves.', examples: [false] }),
    expiresAt: z.string().meta({ format: 'date-time', examples: ['2026-11-21T12:00:00.000Z'] }),
  }),
  headers: z.object({ 'Idempotent-Replay': z.literal('true').optional() }),
  isReplayable: true,
  refuses: ['bad_request', 'unsupported_currency'],
});
