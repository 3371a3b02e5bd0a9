import * as z from 'zod';
import { exampleId, timeOfId } from '../kit/id.ts';
import { iso } from '../kit/time.ts';
import type { CheckoutAddresses } from './addresses.ts';
import { eligibleMethod, eligibleMethods, exampleMethod, type KnownMethods } from './methods.ts';
import type { Payment } from './payment.ts';
import { examplePayment, metadataView, paymentView, paymentViewOf, type ViewParts } from './payment-view.ts';
import { type CheckoutSession, type FoundSession, paymentStatuses, sessionStatuses } from './session.ts';
import { statusAt } from './session-status.ts';

const lineItemView = z.object({
  name: z.string(),
  quantity: z.int(),
  unitAmountMinor: z.int(),
  imageUrl: z.string().optional(),
});

/** A session as the response of its creation has it (checkout specification, "Checkout session"). */
export const newSessionView = z.object({
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
  lineItems: z
    .array(lineItemView)
    .optional()
    .describe('As they were sent.')
    .meta({ examples: [[{ name: 'Novel', quantity: 2, unitAmountMinor: 300_000 }]] }),
  locale: z
    .enum(['bn', 'en'])
    .optional()
    .describe('As it was sent.')
    .meta({ examples: ['bn'] }),
});

/** A session that was paid. */
export const exampleSession = {
  id: exampleId,
  status: 'COMPLETED',
  amountMinor: 600_000,
  currency: 'BDT',
  url: `https://pay.example/checkout/${exampleId}`,
  eligibleMethods: [exampleMethod],
  livemode: false,
  expiresAt: '2026-11-21T12:00:00.000Z',
  paymentStatus: 'SUCCEEDED',
  description: 'Order 1042',
  customer: { name: 'Ada', email: 'ada@example.com' },
  successUrl: 'https://shop.example/thanks?session={CHECKOUT_SESSION_ID}',
  cancelUrl: 'https://shop.example/cart',
  metadata: { orderId: '1042' },
  invoiceId: null,
  createdAt: '2026-11-20T12:00:00.000Z',
  payments: [examplePayment],
};

/** A session as its merchant's server reads it. */
export const sessionView = newSessionView
  .extend({
    paymentStatus: z
      .enum(paymentStatuses)
      .describe(
        'Of the latest payment; `PENDING` before the first one. `EXPIRED` once the session has expired unpaid, but `FAILED` where its latest payment failed, regardless of a payment that is held or late.',
      ),
    description: z.string().nullable(),
    customer: z
      .object({ name: z.string().optional(), email: z.string().optional(), phone: z.string().optional() })
      .describe('As it was sent.'),
    successUrl: z.string().nullable(),
    cancelUrl: z.string().nullable(),
    metadata: metadataView.describe('As it was sent, verbatim.'),
    invoiceId: z.string().nullable(),
    createdAt: z.string().meta({ format: 'date-time' }),
    payments: z.array(paymentView).describe('Oldest first.'),
  })
  .meta({
    id: 'CheckoutSession',
    description: 'A checkout session with its payments.',
    examples: [exampleSession],
  });

export interface SessionViewParts extends ViewParts {
  readonly addresses: Pick<CheckoutAddresses, 'page'>;
}

export const newSessionViewOf = (
  session: CheckoutSession,
  { offered, addresses, nowMs }: Omit<SessionViewParts, 'methods'> & { readonly offered: KnownMethods['current'] },
): z.input<typeof newSessionView> => ({
  id: session.id,
  status: statusAt(session, nowMs).status,
  amountMinor: session.amountMinor,
  currency: session.currency,
  url: addresses.page(session.id),
  eligibleMethods: eligibleMethods(offered, session),
  livemode: session.livemode,
  expiresAt: iso(session.expiresMs),
  ...usedFeatures(session),
});

/** Fields that are there only where a session was created with them. */
export const usedFeatures = ({ lineItems, locale }: Pick<CheckoutSession, 'lineItems' | 'locale'>) => ({
  ...(lineItems.length > 0 && { lineItems: lineItems.map((item) => ({ ...item })) }),
  ...(locale && { locale }),
});

/** `payments`: all of the session, oldest first. */
export const sessionViewOf = (
  found: FoundSession,
  payments: readonly Payment[],
  parts: SessionViewParts,
): z.input<typeof sessionView> => {
  const { session } = found;
  return {
    ...newSessionViewOf(session, { ...parts, offered: parts.methods.current }),
    paymentStatus: statusAt(session, parts.nowMs).paymentStatus,
    description: session.description ?? null,
    customer: session.customer,
    successUrl: session.successUrl ?? null,
    cancelUrl: session.cancelUrl ?? null,
    metadata: session.metadata,
    invoiceId: session.invoiceId ?? null,
    createdAt: iso(timeOfId(session.id)),
    payments: payments.map((payment) => paymentViewOf({ ...found, payment }, parts)),
  };
};
