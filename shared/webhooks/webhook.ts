import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { AccountRef } from '../kit/account-ref.ts';
import { Fault } from '../kit/fault.ts';
import { exampleId } from '../kit/id.ts';
import { line } from '../kit/line.ts';
import { text } from '../kit/text.ts';

/** The API whose events a subscription receives. Each API manages only its own subscriptions. */
export type WebhookApi = 'messaging' | 'checkout';

export const longestName = 100;
export const longestUrl = 2_048;
export const mostEvents = 100;
export const longestEvent = 100;

/** In examples: it looks like no real one. */
export const exampleSecret = '0123456789abcdef'.repeat(3);

const instant = z.string().meta({ format: 'date-time', examples: ['2026-11-20T12:00:00.000Z'] });

/** Messaging specification, "Webhook subscription". */
export const webhook = z
  .object({
    id: z.string().meta({ examples: [exampleId] }),
    name: z.string().meta({ examples: ['Orders'] }),
    url: z.string().meta({ examples: ['https://example.com/hooks'] }),
    events: z.array(z.string()).meta({ examples: [['message.sent', 'message.failed']] }),
    isActive: z
      .boolean()
      .describe('`false`: paused. Nothing is queued, and nothing is delivered.')
      .meta({ examples: [true] }),
    totalSent: z
      .int()
      .describe('Deliveries that succeeded.')
      .meta({ examples: [0] }),
    totalFailed: z
      .int()
      .describe('Deliveries that failed in all attempts and have not succeeded since.')
      .meta({ examples: [0] }),
    lastSentAt: instant.nullable().meta({ examples: [null] }),
    lastFailedAt: instant.nullable().meta({ examples: [null] }),
    createdAt: instant,
    updatedAt: instant,
    hasSecret: z.boolean().meta({ examples: [true] }),
  })
  .meta({ id: 'Webhook', description: 'A subscription to events of messages.' });

export type Webhook = z.output<typeof webhook>;

/** A checkout subscription as the admin API shows it. */
export const checkoutWebhook = webhook
  .omit({ hasSecret: true })
  .extend({ events: z.array(z.string()).meta({ examples: [['payment.succeeded', 'payment.failed']] }) })
  .meta({ id: 'CheckoutWebhook', description: 'A subscription to checkout events.' });

/** The address is checked at each call, because a name's address can change. */
const isTarget = (url: string): boolean => /^https?:\/\/[^\s#]+$/i.test(url) && URL.canParse(url);

/** The fields of a subscription that a caller may write. */
export const webhookFields = z.object({
  name: line(text({ atMost: longestName })).refine((name) => name.trim() !== '', 'must not be blank'),
  url: text({ atMost: longestUrl }).refine(isTarget, 'must be an absolute http(s) URL without a fragment'),
  events: z
    .array(z.string().min(1).max(longestEvent))
    .max(mostEvents)
    .describe('Event names. An unknown name is accepted and never fires. With an empty list, nothing is delivered.'),
  isActive: z.boolean(),
});

export type WebhookFields = z.output<typeof webhookFields>;

/** A subscription and the events that it wants. */
export interface Listener {
  readonly account: AccountRef;
  readonly id: string;
  readonly isActive: boolean;
  readonly events: readonly string[];
  /** How often it was paused: a later pause cancels the deliveries that begin now. */
  readonly pauses: number;
}

export const tooManyWebhooks = (most: number): Fault =>
  new Fault(
    'invalid_request',
    `webhooks: the account has reached its limit of ${most} subscriptions; delete one, or ask for a higher limit`,
  );

/** A fresh signing secret: 48 hexadecimal characters, whose bytes as text are the key. */
export const makeSecret = (): string => randomBytes(24).toString('hex');

const failsForMs = 5 * 24 * 60 * 60 * 1_000;

/** Whether a subscription is to be paused, whose deliveries have all failed since an instant. */
export const hasFailedForLong = (failingSince: string, nowMs: number): boolean =>
  nowMs - Date.parse(failingSince) >= failsForMs;
