import { defaultRateLimitPerMinute } from '../accounts/api-key.ts';
import type { Chaos } from '../checkout/chaos.ts';
import { type CheckoutEventName, paymentEventBody, refundEventBody, sessionEventBody } from '../checkout/events.ts';
import { currencies } from '../checkout/new-session.ts';
import type { PaymentFailureCode } from '../checkout/payment-failures.ts';
import { longestReturnUrl } from '../checkout/return-url.ts';
import { longestHoldMs, maxPayments } from '../checkout/session-status.ts';
import { refusedRefund, slowSeconds, testAmounts } from '../checkout/simulation.ts';
import { browserCalls } from '../http/limiting.ts';
import { callsPerAddress, callsPerSession } from '../http/payer-surface.ts';
import { grouped } from '../kit/grouped.ts';
import { exampleId } from '../kit/id.ts';
import { JsonText } from '../kit/json-text.ts';
import { userAgent } from '../webhooks/signature.ts';

/** The guide for merchants' developers, beside the endpoints. CommonMark, in parts. */

const { declined, timedOut, callbackLost, slow } = testAmounts;

/** A name and its explanation. */
type Entry = readonly [name: string, text: string];

export const steps = [
  'Your server creates a session with a secret key: `POST /v1/checkout-sessions`. Send your order number as `Idempotency-Key`: a repeated request then returns the same session as it is now, with the amount of the first request. If it is `COMPLETED`, the order is paid: make no other. If it is `EXPIRED`, use another key, such as `order-1042-2`. If the order has changed, expire its session first: where `/expire` leaves it `OPEN`, the payer may have paid, so wait until it is `EXPIRED` or `COMPLETED`, 30 minutes at most. Put what you need to find the order again into `metadata`.',
  'Redirect the payer to the `url` in the response, as a full page and not in a frame.',
  'The payer pays. With one method they go straight to its gateway; with several they choose one first. Link previews, prefetches and scripts of other pages get the page with its buttons instead: they do not start a payment. After a declined payment, the payer can try again on the same page.',
  'The payer returns to `successUrl` or `cancelUrl`. Do not fulfil the order yet: this return does not prove a payment, and the payer may close the tab before it.',
  'Your server receives a webhook: verify its signature, fulfil the order once, respond with 2xx. If the webhook is late, poll the status of the session, or read the session with your secret key.',
];

export const keys: readonly Entry[] = [
  ['sk_live_', 'Secret, live: full access, real money. For your server only.'],
  ['sk_test_', 'Secret, test: the same API; payments run against a simulator, and no money moves.'],
  [
    'pk_live_',
    'Publishable, live: creates sessions and nothing else, so a web page may contain it. Its `Idempotency-Key` must be random, because all visitors share it. It can be restricted to certain page origins, hosts of return URLs, and a maximum amount.',
  ],
  ['pk_test_', 'Publishable, test: the same, but no money moves.'],
];

export const sessionMoves: readonly Entry[] = [
  ['OPEN', `Just created. It accepts payments one at a time, ${maxPayments} at most.`],
  ['OPEN → COMPLETED', 'A payment has succeeded. Final.'],
  [
    'OPEN → EXPIRED',
    `\`expiresAt\` has passed: a payment in progress then is waited for, ${longestHoldMs / 60_000} minutes at most. Or your server has expired the session, which cancels a payment in progress that is not paid.`,
  ],
  [
    'EXPIRED → COMPLETED',
    'A payment succeeded late, and the account accepts late payments. Otherwise the payment is refunded automatically.',
  ],
];

export const paymentMoves: readonly Entry[] = [
  ['PENDING', 'No payment has been started yet, or one is in progress.'],
  [
    'PENDING → SUCCEEDED',
    'The gateway has confirmed exactly this amount, currency and payment. Event `payment.succeeded`.',
  ],
  [
    'PENDING → FAILED',
    'The gateway declined or could not open the payment, the payer or your server’s `/expire` cancelled it, or a review rejected it. Event `payment.failed`. Until its `expiresAt`, and unless your server has expired it, the session stays `OPEN`; the next payment has its own id, and `paymentStatus` becomes `PENDING` again.',
  ],
  ['PENDING → EXPIRED', 'The gateway’s time limit ran out, or the gateway gave no result. No event is sent.'],
  [
    'FAILED → SUCCEEDED',
    'The gateway has found the money after all. It is surplus: the payment has the `failureCode` `surplus` and is refunded automatically. No event is sent.',
  ],
  [
    'EXPIRED → SUCCEEDED',
    'The gateway has confirmed the payment later. Event `payment.succeeded` if it completes its session: one that is still `OPEN`, with no other payment in progress, or an expired one of an account that accepts late payments. Otherwise the payment is refunded automatically.',
  ],
];

const failureTexts: Readonly<Record<PaymentFailureCode, string>> = {
  cancelled: 'The payer cancelled the payment, or your server expired its session.',
  gateway_unavailable: 'The gateway could not be reached, so no payment was opened there. The payer can try again.',
  rejected: 'The payment was held, and a review found that no money had arrived.',
  surplus:
    'On a payment that is `SUCCEEDED`: the money does not complete its session, and is refunded, automatically or by a manual review.',
};

export const failureCodes: readonly Entry[] = Object.entries(failureTexts);

export const outcomes: readonly Entry[] = [
  [String(declined), 'Declined: `FAILED` at once, event `payment.failed`.'],
  [
    String(timedOut),
    'Timeout: `PENDING` for a minute, unless the deployment sets another time; then payment and session are `EXPIRED`.',
  ],
  [
    String(callbackLost),
    'The gateway’s callback is lost: `SUCCEEDED` at the next status poll, or after about 15 seconds without one.',
  ],
  [String(slow), `Slow: \`PENDING\` for ${slowSeconds} seconds, then \`SUCCEEDED\`.`],
  ['any other', `Succeeds at once. A refund of exactly ${refusedRefund} fails; any other refund succeeds.`],
];

const chaosTexts: Readonly<Record<Chaos, string>> = {
  duplicate_notification: 'The gateway sends its notification three times. You still receive one event.',
  tampered_amount:
    'The gateway reports one minor unit more than the session’s amount: the payment is held for manual review and stays `PENDING`.',
  late_success: `The session expires, and the payment succeeds ${slowSeconds} seconds after it started: it is refunded automatically, unless the account accepts late payments.`,
};

export const chaos: readonly Entry[] = Object.entries(chaosTexts);

const placeholder = '{CHECKOUT_SESSION_ID}';

export const returnAddresses = [
  `The payer returns to \`successUrl\` after paying, and to \`cancelUrl\` after cancelling, after a failed payment, when the session has ended, or while a payment is under manual review: read the session before you offer another payment there. Each must be an absolute https URL without user info, at most ${grouped(longestReturnUrl)} characters long; with a test key, http on localhost is also allowed. If you omit one, the payer sees a result page of this service.`,
  `\`${placeholder}\` anywhere in them is replaced by the session’s id, so that your page knows which order to show. Nothing else is added. The payer’s browser requests them by GET. Your page should get the status of the payment from your server, which receives the webhook or polls the status.`,
];

export const webhookHeaders: readonly Entry[] = [
  ['User-Agent', `\`${userAgent}\` in every delivery.`],
  ['X-Checkout-Event', 'The event type, for example `payment.succeeded`.'],
  [
    'X-Checkout-Signature',
    '`sha256=<hex>`: HMAC-SHA256 of the raw body. The key is the subscription’s secret: its 48 characters as bytes.',
  ],
  [
    'X-Checkout-Delivery',
    'The id of the delivery. It is the same in every attempt, also when the delivery is sent again.',
  ],
  [
    'X-Service-Sequence',
    'The number of the event for this subscription: 1, 2, 3 … in the order in which the service recorded the events, the same in every attempt. Payments that end at almost the same time may be recorded in either order. A number that never arrives is an event that you have missed. Deliveries may arrive in another order.',
  ],
];

export const receiverRules = [
  'Verify the signature over the raw body, before any parsing, and respond with 400 if it is wrong.',
  'Process each event once: the same event may arrive more than once. Deduplicate on `data.paymentId` or on `X-Checkout-Delivery`; refunds on `data.refundId` or on the header, because a payment can have several; `checkout_session.expired` on `data.checkoutSessionId` or on the header.',
  'Respond with 2xx quickly, and do slow work afterwards.',
  'Compare the amount and the currency with those of the order.',
  'In production, accept only a payment that `GET /v1/payments/{id}` finds with your live key. A subscription gets the events of both modes, and their bodies look the same: an event of a test payment does not mean that money has moved.',
];

const payment = {
  id: '019a9c1e-5f02-7b1d-a3c4-1e2f3a4b5c6d',
  sessionId: exampleId,
  accountId: '019a9c1e-0000-7a4e-9d21-5b6c7d8e9f01',
  amountMinor: 600_000,
  currency: 'BDT',
};
const refund = { ...payment, id: '019a9c1f-81d3-7e90-b5a7-6c7d8e9f0a1b', paymentId: payment.id, amountMinor: 250_000 };
const metadata = JsonText.of({ orderId: '1042' });

/** Each event: when it is sent, and an example body. */
export const events: readonly { readonly name: CheckoutEventName; readonly when: string; readonly body: string }[] = [
  {
    name: 'payment.succeeded',
    when: 'A payment has succeeded and its session is complete. `metadata` is the session’s, verbatim.',
    body: paymentEventBody('payment.succeeded', payment, metadata),
  },
  {
    name: 'payment.failed',
    when: 'A payment was declined, cancelled or rejected. Another payment of the same session may still succeed; it has another `paymentId`.',
    body: paymentEventBody('payment.failed', payment, metadata),
  },
  {
    name: 'refund.succeeded',
    when: 'The gateway has completed a refund that you or an operator requested, in full or in part.',
    body: refundEventBody('refund.succeeded', { ...refund, status: 'SUCCEEDED' }),
  },
  {
    name: 'refund.failed',
    when: 'The gateway rejected the refund; no money moved.',
    body: refundEventBody('refund.failed', { ...refund, status: 'FAILED' }),
  },
  {
    name: 'checkout_session.expired',
    when: 'A session has expired without being paid, by its time or by your call; sent within about a minute, once, to subscriptions that name it.',
    body: sessionEventBody('checkout_session.expired', { id: exampleId, accountId: payment.accountId, metadata }),
  },
];

export const surplus =
  'Money that arrives in addition to the payment that completed its session is refunded automatically. No event is sent for it.';

export const limits: readonly Entry[] = [
  ['Amount', 'At least 1 minor unit. A method is offered only if its gateway accepts the amount.'],
  ['Currency', `${currencies.map((code) => `\`${code}\``).join(', ')}.`],
  [
    'Session',
    '24 hours, unless the deployment or `expiresInSeconds` sets another time; see `expiresAt`. A session without a payment is deleted 30 days after it has expired.',
  ],
  ['Payments', `At most ${maxPayments} for each session, one at a time.`],
  [
    'Idempotency-Key',
    'Up to 255 characters, valid for 24 hours, separate for each account, mode and kind of key. Repeating it returns the session that it created, in its current state, regardless of the body, with `Idempotent-Replay: true`.',
  ],
  [
    'Requests',
    `${grouped(defaultRateLimitPerMinute)} a minute with a key, unless the key has another limit; see the headers \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`. With publishable keys, also ${browserCalls.perMinute} a minute for each client address. Without a key, ${callsPerAddress} a minute for each client address, and ${callsPerSession} a minute for each session and endpoint; a 429 response says in \`Retry-After\` how long to wait.`,
  ],
];
