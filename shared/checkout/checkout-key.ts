import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { exampleId } from '../kit/id.ts';
import { mostAmountMinor } from './new-session.ts';

/** A `secret` key may call every endpoint. A `publishable` one may only create sessions, because browsers expose it. */
export const checkoutKeyKinds = ['secret', 'publishable'] as const;
export type CheckoutKeyKind = (typeof checkoutKeyKinds)[number];

const prefixes = { secret: 'sk', publishable: 'pk' } as const satisfies Record<CheckoutKeyKind, string>;
const shape = /^[sp]k_(live|test)_[0-9a-f]{64}$/;

/** A fresh key: 256 random bits, so a plain hash of it is safe to keep. */
export const makeCheckoutKey = (kind: CheckoutKeyKind, livemode: boolean): string =>
  `${prefixes[kind]}_${livemode ? 'live' : 'test'}_${randomBytes(32).toString('hex')}`;

export const isCheckoutKey = (text: string): boolean => shape.test(text);

/** The beginning of a key, to recognise it. */
export const prefixOf = (key: string): string => key.slice(0, 'sk_live_'.length + 4);

/** Nothing here is a pattern: an asterisk would be part of a name, and fit nothing. */
const exact = (what: string, isExact: (text: string) => boolean) =>
  z
    .string()
    .max(300)
    .refine((text) => !text.includes('*') && isExact(text), `must be ${what}`);

const origin = exact(
  'an origin such as https://shop.example',
  (text) => URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text,
);

const host = exact(
  'a host such as shop.example',
  (text) => URL.canParse(`https://${text}`) && new URL(`https://${text}`).host === text,
);

/** The limits of a publishable key, which every visitor of the page can copy. */
export const checkoutKeyLimits = z.object({
  allowedOrigins: z
    .array(origin)
    .min(1)
    .max(20)
    .optional()
    .describe('The origins of the pages that may use the key. If omitted, any.'),
  redirectHosts: z
    .array(host)
    .min(1)
    .max(20)
    .optional()
    .describe('The hosts that `successUrl` and `cancelUrl` may have. If omitted, any.'),
  maxAmountMinor: z
    .int()
    .min(1)
    .max(mostAmountMinor)
    .optional()
    .describe('The maximum amount of a session that this key creates.'),
});
export type CheckoutKeyLimits = z.output<typeof checkoutKeyLimits>;

const instant = z.string().meta({ format: 'date-time', examples: ['2026-11-20T12:00:00.000Z'] });

/** A key as shown after its creation. */
export const checkoutKey = checkoutKeyLimits
  .extend({
    id: z.string().meta({ examples: [exampleId] }),
    prefix: z.string().meta({ examples: ['sk_test_0123'] }),
    kind: z.enum(checkoutKeyKinds),
    livemode: z.boolean().meta({ examples: [false] }),
    name: z.string().meta({ examples: ['Shop, test'] }),
    rateLimitPerMinute: z.int().meta({ examples: [1_000] }),
    createdAt: instant,
    revokedAt: instant.nullable().meta({ examples: [null] }),
  })
  .meta({ id: 'CheckoutKey', description: 'A key without its secret part.' });
export type CheckoutKey = z.output<typeof checkoutKey>;
