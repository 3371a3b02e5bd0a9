import * as z from 'zod';
import { exampleId } from '../kit/id.ts';
import { JsonText } from '../kit/json-text.ts';
import { failures } from '../messages/failures.ts';
import { exampleMessage, type Message, message } from '../messages/message.ts';
import { type EventName, eventNames, testEvent } from '../webhooks/events.ts';
import { eventBody, testBody } from '../webhooks/payload.ts';
import { userAgent } from '../webhooks/signature.ts';
import * as checkoutGuide from './checkout-guide.ts';
import type { Operation, Parameter } from './document.ts';
import * as messagingGuide from './messaging-guide.ts';
import type { Schemas } from './schemas.ts';
import { checkoutVector } from './verify-checkout.ts';
import { signatureVector } from './verify-snippets.ts';

/** The call that reports an event to a subscriber's server. */
export interface Delivery {
  readonly event: string;
  /** When it is sent; CommonMark. */
  readonly when: string;
  readonly body: z.ZodType;
  readonly example: unknown;
  readonly headers: readonly Parameter[];
  /** One attempt is made, within the request that asks for it. */
  readonly isTest?: true;
}

export const deliveriesTag = 'Deliveries';

/** The operation of a delivery, as the subscriber's server has to offer it. */
export const deliveryOperation = (
  { event, when, body, example, headers, isTest }: Delivery,
  schemas: Schemas,
): Operation => ({
  operationId: `on${pascalCase(event)}`,
  tags: [deliveriesTag],
  summary: event,
  description: when,
  security: [],
  parameters: headers,
  requestBody: { required: true, content: { 'application/json': { schema: schemas.given(body), example } } },
  responses: {
    '2XX': {
      description: isTest
        ? 'The test has succeeded, if it comes within 10 seconds. A test has one attempt, and is not retried.'
        : 'Ends the delivery, if it comes within 10 seconds. Any other answer is retried.',
    },
  },
});

/** `message.sent` is `MessageSent`. */
const pascalCase = (event: string): string =>
  event.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());

const nameOf = (event: string): string => `${pascalCase(event)}Event`;

const instant = z.string().meta({ format: 'date-time' });

const header = (name: string, description: string, example?: string): Parameter => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
});

const { headers: signed } = signatureVector;

const plainHeaders = (event: string, sequence: string): Parameter[] => [
  header('User-Agent', 'The same in every delivery.', userAgent),
  header('X-Service-Event', 'The name of the event.', event),
  header('X-Webhook-Event', 'The same, for older receivers.', event),
  header(
    'X-Service-Sequence',
    'The number of the event for this subscription: 1, 2, 3 … in the order in which the service recorded the events, which is that of `GET /events`. A number that never arrives is an event that you have missed. 0: the delivery is a test, or repeats an event that the subscription had not asked for when it happened.',
    sequence,
  ),
  header(
    'X-Webhook-Signature',
    'HMAC-SHA256 of the raw body alone, in hex; for older receivers.',
    signed['X-Webhook-Signature'],
  ),
];

const messagingHeaders = (event: string): Parameter[] => [
  ...plainHeaders(event, signed['X-Service-Sequence']),
  header(
    'X-Service-Signature',
    '`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`, keyed with the secret. During a rotation of the secret there is another `,v1=<hex>` for each earlier secret.',
    signed['X-Service-Signature'],
  ),
  header('webhook-id', 'The event’s id (Standard Webhooks).', signed['webhook-id']),
  header('webhook-timestamp', 'Unix seconds (Standard Webhooks).', signed['webhook-timestamp']),
  header(
    'webhook-signature',
    '`v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` (Standard Webhooks). During a rotation there is one for each secret, with a space between them.',
    signed['webhook-signature'],
  ),
];

const happenedAt = '2026-11-20T12:00:01.000Z';
const sentMessage: Message = {
  ...exampleMessage,
  tags: [...exampleMessage.tags],
  metadata: JsonText.of(exampleMessage.metadata),
};

const examples: Readonly<Record<EventName, Message>> = {
  'message.sent': sentMessage,
  'message.delivered': { ...sentMessage, status: 'delivered', deliveredAt: happenedAt },
  'message.failed': {
    ...sentMessage,
    channel: 'sms',
    status: 'failed',
    to: '+8801712345678',
    sentAt: null,
    failedAt: happenedAt,
    failureReason: failures.unavailable.reason,
    failureCode: failures.unavailable.code,
  },
  'message.bounced': {
    ...sentMessage,
    status: 'bounced',
    failureReason: 'smtp; 550 unknown user',
    failureCode: '5.1.1',
  },
};

const whenOf = (event: string): string => new Map(messagingGuide.events).get(`\`${event}\``) ?? '';

/** The deliveries of messaging. */
export const messagingDeliveries: readonly Delivery[] = [
  ...eventNames.map((event) => ({
    event,
    when: whenOf(event),
    body: z
      .object({
        id: z.string().describe('`evt_` followed by a UUID: the same in every delivery of this event.'),
        event: z.literal(event),
        createdAt: instant.describe('When it happened.'),
        data: z.object({ message }).describe('The message as it was then.'),
      })
      .meta({ id: nameOf(event), description: whenOf(event) }),
    example: JSON.parse(eventBody(event, examples[event], Date.parse(happenedAt))),
    headers: messagingHeaders(event),
  })),
  {
    event: testEvent,
    when: 'A test of the subscription: `POST /webhooks/{id}/test`.',
    body: z
      .object({
        event: z.literal(testEvent),
        tenantId: z.string().describe('The id of the account.'),
        timestamp: instant,
        data: z.object({ webhookId: z.string(), webhookName: z.string() }),
      })
      .meta({ id: nameOf(testEvent), description: 'A test of a subscription.' }),
    example: JSON.parse(testBody(exampleId, { id: exampleId, name: 'Orders' }, Date.parse(happenedAt))),
    headers: plainHeaders(testEvent, '0'),
    isTest: true,
  },
];

const metadata = z.record(z.string(), z.string()).describe('What the session was created with, unchanged.');

/** The `data` of a checkout event, by what it happened to. */
const checkoutData: Readonly<Record<string, z.ZodType>> = {
  payment: z.object({
    paymentId: z.string(),
    checkoutSessionId: z.string(),
    amountMinor: z.int(),
    currency: z.string(),
    metadata,
  }),
  refund: z.object({
    refundId: z.string(),
    paymentId: z.string(),
    amountMinor: z.int(),
    status: z.enum(['SUCCEEDED', 'FAILED']),
  }),
  checkout_session: z.object({ checkoutSessionId: z.string(), metadata }),
};

const checkoutHeaders = (event: string): Parameter[] => {
  const examples: Readonly<Record<string, string>> = {
    ...checkoutVector.headers,
    'User-Agent': userAgent,
    'X-Checkout-Event': event,
  };
  return checkoutGuide.webhookHeaders.map(([name, text]) => header(name, text, examples[name]));
};

/** The deliveries of the checkout. */
export const checkoutDeliveries: readonly Delivery[] = checkoutGuide.events.map(({ name, when, body }) => ({
  event: name,
  when,
  body: z
    .object({
      event: z.literal(name),
      merchantId: z.string().describe('The id of the account.'),
      data: checkoutData[name.slice(0, name.indexOf('.'))] ?? z.unknown(),
    })
    .meta({ id: nameOf(name), description: when }),
  example: JSON.parse(body),
  headers: checkoutHeaders(name),
}));
