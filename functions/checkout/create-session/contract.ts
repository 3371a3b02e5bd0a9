import * as z from 'zod';
import { addUpTo, isImageUrl, mostLineItems } from '../../../shared/checkout/line-items.ts';
import {
  currencies,
  longest,
  mostAmountMinor,
  mostMetadata,
  sessionLifetimeSeconds,
} from '../../../shared/checkout/new-session.ts';
import { replayMark } from '../../../shared/checkout/replay-mark.ts';
import { isReturnUrl, longestReturnUrl } from '../../../shared/checkout/return-url.ts';
import { newSessionView } from '../../../shared/checkout/session-view.ts';
import { contract } from '../../../shared/http/contract.ts';
import { verbatimObject, withRules } from '../../../shared/http/fields.ts';
import { grouped } from '../../../shared/kit/grouped.ts';
import { JsonText } from '../../../shared/kit/json-text.ts';
import { characters, text } from '../../../shared/kit/text.ts';
import { emailAddress, emailPattern, notAnEmail } from '../../../shared/messages/email-address.ts';

/** What is no object is checked too, so that one answer names all errors; a long text would have an entry for each character. */
const entriesOf = (map: unknown) =>
  typeof map === 'object' && map !== null && !Array.isArray(map) ? Object.entries(map) : [];

const isEvery = (test: (key: string, value: unknown) => boolean) => (map: Record<string, unknown>) =>
  entriesOf(map).every(([key, value]) => test(key, value));

const isWithin = (value: unknown, atMost: number): boolean => typeof value !== 'string' || characters(value) <= atMost;

const metadata = verbatimObject
  .refine(
    isEvery((_, value) => typeof value === 'string'),
    'must have string values only',
  )
  .refine((map) => entriesOf(map).length <= mostMetadata.keys, `must have at most ${mostMetadata.keys} keys`)
  .refine(
    isEvery((key) => isWithin(key, mostMetadata.keyCharacters)),
    `must have keys of at most ${mostMetadata.keyCharacters} characters`,
  )
  .superRefine((map, { addIssue }) => {
    const isTooLong = ([key, value]: readonly [string, unknown]) =>
      isWithin(key, mostMetadata.keyCharacters) && !isWithin(value, mostMetadata.valueCharacters);
    const message = `must be at most ${mostMetadata.valueCharacters} characters`;
    for (const [key] of entriesOf(map).filter(isTooLong)) addIssue({ code: 'custom', path: [key], message });
  })
  .meta({ additionalProperties: { type: 'string', maxLength: mostMetadata.valueCharacters } })
  .transform((map) => {
    // What was checked above is what receivers get: `JSON.parse` drops all but the last value of a repeated name.
    const sent = JsonText.of(map).withoutRepeats();
    return Buffer.byteLength(sent.text) <= mostMetadata.verbatimBytes ? sent : new JsonText(JSON.stringify(map));
  });

const returnUrl = z
  .string()
  .refine(
    isReturnUrl,
    `must be an absolute https URL of at most ${longestReturnUrl} characters without user info (http on localhost with a test key)`,
  )
  .meta({ maxLength: longestReturnUrl });

const payerEmail = text({ atMost: longest.email })
  .refine((email) => emailAddress(email) !== undefined, notAnEmail)
  .meta({ format: 'idn-email', pattern: emailPattern });

const lineItem = z.object({
  name: text({ atMost: mostLineItems.nameCharacters }).refine((name) => name.trim() !== '', 'must not be empty'),
  quantity: z.int().min(1).max(mostLineItems.quantity),
  unitAmountMinor: z.int().min(0).max(mostAmountMinor).describe('In minor units.'),
  imageUrl: z
    .string()
    .refine(isImageUrl, 'must be an absolute https URL of at most 2048 characters')
    .exactOptional()
    .describe('Kept and returned. The page does not load images of other hosts, so that payers are not tracked.'),
});

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
  body: withRules(
    z.object({
      amountMinor: z.int().min(1).max(mostAmountMinor).describe('In minor units: 6,000.00 is 600000.'),
      currency: z
        .string()
        .regex(/^[A-Z]{3}$/, 'must be a currency code of three capital letters')
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
          `A map of strings, returned verbatim in webhooks: up to ${mostMetadata.keys} keys of ${mostMetadata.keyCharacters} characters, values of up to ${mostMetadata.valueCharacters}. If its JSON is longer than ${grouped(mostMetadata.verbatimBytes)} bytes, unnecessary escapes and spaces are dropped.`,
        ),
      invoiceId: text({ atMost: longest.invoiceId })
        .optional()
        .describe('Your own invoice reference, shown on the receipt.'),
      lineItems: z
        .array(lineItem)
        .min(1)
        .max(mostLineItems.count)
        .refine(
          (items) => Buffer.byteLength(JSON.stringify(items)) <= mostLineItems.bytes,
          `must be at most ${mostLineItems.bytes} bytes of JSON`,
        )
        .optional()
        .describe(
          `What is paid for, shown on the page and the receipt. Together, they are \`amountMinor\`, and at most ${grouped(mostLineItems.bytes)} bytes of JSON.`,
        ),
      locale: z
        .enum(['bn', 'en'])
        .optional()
        .describe(
          'The language of the page, unless the payer chooses the other one, and of the receipt. If omitted, the page has the language of the payer’s browser, and the receipt has both.',
        ),
      expiresInSeconds: z
        .int()
        .min(sessionLifetimeSeconds.least)
        .max(sessionLifetimeSeconds.most)
        .optional()
        .describe(
          'How long the session accepts payments. If omitted, 24 hours, unless the deployment sets another time.',
        ),
    }),
    [
      {
        field: 'lineItems',
        what: 'quantity × unitAmountMinor of all items must add up to amountMinor',
        isBroken: ({ lineItems, amountMinor }) =>
          lineItems !== undefined && Number.isSafeInteger(amountMinor) && !addUpTo(lineItems, amountMinor),
      },
    ],
  ),
  reply: newSessionView,
  headers: replayMark,
  isReplayable: true,
  refuses: ['bad_request', 'unsupported_currency'],
});
