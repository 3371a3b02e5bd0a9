import { defaultRateLimitPerMinute } from '../accounts/api-key.ts';
import { type CheckoutEventName, paymentEventBody, refundEventBody } from '../checkout/events.ts';
import type { Chaos } from '../checkout/gateway-answer.ts';
import { currencies } from '../checkout/new-session.ts';
import { longestReturnUrl } from '../checkout/return-url.ts';
import { longestHoldMs, mostPayments } from '../checkout/session-status.ts';
import { refusedRefund, slowSeconds, testAmounts } from '../checkout/simulation.ts';
import { callsPerAddress, callsPerSession } from '../http/visitor-surface.ts';
import { exampleId } from '../kit/id.ts';
import { JsonText } from '../kit/json-text.ts';

/** What a merchant’s developer knows of the checkout beyond its endpoints. CommonMark, part by part. */

const { declined, timedOut, callbackLost, slow } = testAmounts;

const count = (value: number): string => value.toLocaleString('en');

/** A name, and what is to be said of it. */
type Entry = readonly [name: string, text: string];

export const steps = [
  'Your server creates a session with a secret key: `POST /v1/checkout-sessions`. Your own order number as `Idempotency-Key` makes sure that one order has one session. Put what you need to find the order again into `metadata`.',
  'Send the payer to the answer’s `url`, as a whole page and not in a frame.',
  'The payer pays. With one method they go straight to its gateway; with several they choose first. Link previews and programs get the page with its buttons: only a person in a browser begins a payment. A declined payment may be tried again on the same page.',
  'The payer comes back to `successUrl` or `cancelUrl`. Thank them, but deliver nothing yet: a browser proves nothing, and may never come back.',
  'Your server receives a webhook: verify it, fulfil the order once, answer 2xx. If a webhook is late, poll the status of the session.',
];

export const keys: readonly Entry[] = [
  ['sk_live_', 'Secret, live: everything, with real money. For your server only.'],
  ['sk_test_', 'Secret, test: the same API; payments run against a simulator, and no money moves.'],
  [
    'pk_live_',
    'Publishable, live: creates sessions and nothing else, so a page may carry it. It may be bound to the origins that use it, to hosts that payers return to, and to a largest amount.',
  ],
  ['pk_test_', 'Publishable, test: the same, without money.'],
];

export const sessionMoves: readonly Entry[] = [
  ['OPEN', `Just created. It takes payments one after another, ${mostPayments} at most.`],
  ['OPEN → COMPLETED', 'A payment has succeeded. Final.'],
  [
    'OPEN → EXPIRED',
    `\`expiresAt\` has passed. A payment that is under way then is waited for, ${longestHoldMs / 60_000} minutes at most.`,
  ],
  [
    'EXPIRED → COMPLETED',
    'Money has arrived late, and the account accepts that. Otherwise it is refunded automatically.',
  ],
];

export const paymentMoves: readonly Entry[] = [
  ['PENDING', 'No payment has been begun yet, or one is under way.'],
  [
    'PENDING → SUCCEEDED',
    'The gateway has confirmed the very amount, currency and payment. Event `payment.succeeded`.',
  ],
  [
    'PENDING → FAILED',
    'The gateway declined, or the payer gave up. Event `payment.failed`. The session stays `OPEN`; the next payment has an id of its own and reads `PENDING` again.',
  ],
  ['PENDING → EXPIRED', 'The gateway’s time limit ran out, or the gateway gave no result. There is no event.'],
];

export const outcomes: readonly Entry[] = [
  [String(declined), 'Declined: `FAILED` at once, event `payment.failed`.'],
  [
    String(timedOut),
    'Time-out: `PENDING` for a minute, unless the deployment has set another time; then payment and session are `EXPIRED`.',
  ],
  [
    String(callbackLost),
    'The gateway’s callback is lost: `SUCCEEDED` with the next status poll, or after some 15 seconds without one.',
  ],
  [String(slow), `Slow: \`PENDING\` for ${slowSeconds} seconds, then \`SUCCEEDED\`.`],
  ['any other', `Success at once. A refund of exactly ${refusedRefund} fails, any other succeeds.`],
];

const chaosTexts: Readonly<Record<Chaos, string>> = {
  duplicate_notification: 'The gateway notifies three times. You still receive one event.',
  tampered_amount:
    'The gateway reports one unit more than was asked: the payment is held for manual review and stays `PENDING`.',
  late_success: `The session expires, and its money arrives ${slowSeconds} seconds after the payment began: it is refunded automatically, unless the account accepts late payments.`,
};

export const chaos: readonly Entry[] = Object.entries(chaosTexts);

const placeholder = '{CHECKOUT_SESSION_ID}';

export const returnAddresses = [
  `\`successUrl\` is where the payer comes back after paying, \`cancelUrl\` after giving up, a failure or the session’s end. Each is an absolute https address without user info, of at most ${count(longestReturnUrl)} characters; with a test key also plain http on localhost. Where one is left out, the payer ends on a result page of ours.`,
  `\`${placeholder}\` anywhere in them is replaced by the session’s id, so that your page knows which order to show. Nothing else is added, and payers come by GET. What your page says of the payment it learns from your server, which has heard the webhook or polls the status.`,
];

export const webhookHeaders: readonly Entry[] = [
  ['X-Checkout-Event', 'The event, for example `payment.succeeded`.'],
  [
    'X-Checkout-Signature',
    '`sha256=<hex>`: HMAC-SHA256 of the raw body, with the subscription’s secret, its 48 characters taken as bytes.',
  ],
  ['X-Checkout-Delivery', 'The id of the delivery: the same at every attempt, and when it is sent again by hand.'],
];

export const receiverRules = [
  'Verify the signature over the raw body, before any parsing, and answer 400 if it is wrong.',
  'Act once: the same event may come again. Remember `data.paymentId`, or `X-Checkout-Delivery`.',
  'Answer 2xx quickly, and do slow work afterwards.',
  'Compare amount and currency with the order’s, as with any message about money.',
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

/** Each event: when it comes, and a body as it is sent. */
export const events: readonly { readonly name: CheckoutEventName; readonly when: string; readonly body: string }[] = [
  {
    name: 'payment.succeeded',
    when: 'A payment has succeeded and its session is complete. `metadata` is the session’s, verbatim.',
    body: paymentEventBody('payment.succeeded', payment, metadata),
  },
  {
    name: 'payment.failed',
    when: 'A payment was declined or given up. Another of the same session may still succeed, under another `paymentId`.',
    body: paymentEventBody('payment.failed', payment, metadata),
  },
  {
    name: 'refund.succeeded',
    when: 'A refund that an operator asked for, of all or a part, has reached the payer’s bank or wallet.',
    body: refundEventBody('refund.succeeded', { ...refund, status: 'SUCCEEDED' }),
  },
  {
    name: 'refund.failed',
    when: 'The gateway refused the refund; no money moved.',
    body: refundEventBody('refund.failed', { ...refund, status: 'FAILED' }),
  },
];

export const limits: readonly Entry[] = [
  ['Amount', 'At least 1 in minor units. A method is offered only if its gateway accepts the amount.'],
  ['Currency', `${currencies.map((code) => `\`${code}\``).join(', ')}.`],
  ['Session', '24 hours, unless the deployment has set another time; `expiresAt` tells.'],
  ['Payments', `${mostPayments} of one session, one at a time.`],
  [
    'Idempotency-Key',
    'Up to 255 characters, for 24 hours, for each account and mode. It gives the session that it made as it is now, whatever the body, with `Idempotent-Replay: true`.',
  ],
  [
    'Calls',
    `${count(defaultRateLimitPerMinute)} a minute with a key, unless another limit is set on it: \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` tell. Without a key ${callsPerAddress} a minute for each client address, and ${callsPerSession} for each session and endpoint; a refusal says in \`Retry-After\` how long to wait.`,
  ],
];
