import { type FaultCode, faultCodes } from '../kit/fault.ts';
import type { SecurityScheme } from './document.ts';
import { type HeaderName, onEveryAnswer, onKeyedAnswers } from './headers.ts';
import { sizeLimits } from './platform.ts';

/** One documented API of the product. */
export interface Api {
  readonly title: string;
  /** The page that documents its endpoints. */
  readonly page: string;
  /** The prefix of its paths. */
  readonly server: string;
  /** Notes on the whole API: paragraphs of CommonMark. */
  readonly about: readonly string[];
  /** The equivalent ways to send a key; empty when no key is required. */
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
  /** On every answer to an authenticated caller. */
  readonly headers: readonly HeaderName[];
  /** Codes of all its endpoints. */
  readonly refuses: readonly FaultCode[];
  /** Additional codes of endpoints that accept an Idempotency-Key. */
  readonly refusesReplays: readonly FaultCode[];
  /** Begins the names of its refusals in a document that it shares with an API whose refusals differ. */
  readonly refusalPrefix: '' | 'webhooks.' | 'payers.';
  /** Its refusals have the older shape (messaging specification, "Envelope"). */
  readonly refusesInOlderShape?: true;
}

const keyed: readonly FaultCode[] = ['unauthorized', 'forbidden_scope', 'rate_limited', 'internal_error'];

/** Three equivalent ways to send a key of messaging. */
const messagingKeys = {
  'X-API-Key': { type: 'apiKey', in: 'header', name: 'X-API-Key', description: '`X-API-Key: mk_…`' },
  ApiKey: { type: 'http', scheme: 'ApiKey', description: '`Authorization: ApiKey mk_…`' },
  Bearer: { type: 'http', scheme: 'bearer', description: '`Authorization: Bearer mk_…`' },
} as const;

export const apis = {
  messaging: {
    title: 'Messaging Service API',
    page: '/docs',
    server: '/api/v1',
    about: [
      'Sends transactional messages by email, sms and whatsapp, and stores the contacts and templates for them. There is no sandbox: every request acts on the live account and spends real credits.',
      'Requests and responses are JSON with camelCase names; times are ISO 8601 in UTC. A success response has `data`, and a paged list also has `pagination`. An error response has `error` instead. Ids are plain UUIDs; clients must not validate their format.',
      'Branch on `error.code`: codes are only ever added. Retry 429 and 5xx with exponential backoff and jitter, and retry writes with their original Idempotency-Key. Do not retry 400, 401, 402, 403, 404 or 422 unchanged.',
      sizeLimits,
      'Webhook subscriptions are managed with the same keys. `/docs/webhooks` documents their endpoints, which are not part of the OpenAPI description.',
    ],
    securitySchemes: messagingKeys,
    headers: onKeyedAnswers,
    refuses: keyed,
    refusesReplays: ['invalid_request', 'idempotency_conflict'],
    refusalPrefix: '',
  },

  /** What the messaging specification does not have. */
  additions: {
    title: 'Messaging: more endpoints',
    page: '/docs/additions',
    server: '/api/v1',
    about: [
      'These endpoints use the same keys, conventions and codes as the messaging API (`/docs`). They are not part of `/api/v1/openapi.json`.',
    ],
    securitySchemes: messagingKeys,
    headers: onKeyedAnswers,
    refuses: keyed,
    refusesReplays: ['invalid_request', 'idempotency_conflict'],
    refusalPrefix: '',
  },

  /** The management of messaging's webhook subscriptions. */
  webhooks: {
    title: 'Webhooks',
    page: '/docs/webhooks',
    server: '/api/v1',
    about: [
      'Messaging keys with the scope `webhooks:manage` manage the subscriptions of their account. Errors have an older shape than on the other endpoints: `{ statusCode, error, message, timestamp, path }`, with the code in `error`.',
    ],
    securitySchemes: messagingKeys,
    headers: onKeyedAnswers,
    refuses: keyed,
    refusesReplays: [],
    refusalPrefix: 'webhooks.',
    refusesInOlderShape: true,
  },

  /** Calls of merchants, with a key. */
  checkout: {
    title: 'Hosted Checkout API',
    page: '/docs/checkout',
    server: '/v1',
    about: [
      'Your server creates a session for an amount, the payer pays on a hosted page, and a signed webhook reports the result to your server. Card and wallet data go to the payment gateways and never to you.',
      'Requests and responses are JSON with camelCase names; times are ISO 8601 in UTC. A success response has `data`, an error response has `error` instead. Amounts are integers in minor units: 6,000.00 is 600000. Ids are plain UUIDs.',
      'Branch on `error.code`: codes are only ever added. Retry 429 and 5xx with exponential backoff and jitter. Retry the creation of a session with its original Idempotency-Key: the response is then the same session, not a second one.',
    ],
    securitySchemes: { Bearer: { type: 'http', scheme: 'bearer', description: '`Authorization: Bearer sk_test_…`' } },
    headers: onKeyedAnswers,
    refuses: keyed,
    refusesReplays: ['bad_request'],
    refusalPrefix: '',
  },

  /** Calls of payers, and of servers that poll, without a key. */
  payers: {
    title: 'Hosted Checkout API',
    page: '/docs/checkout',
    server: '/v1',
    about: [],
    securitySchemes: {},
    headers: onEveryAnswer,
    refuses: ['rate_limited', 'internal_error'],
    refusesReplays: [],
    refusalPrefix: 'payers.',
  },

  operators: {
    title: 'Admin API',
    page: '/docs/admin',
    server: '/admin/v1',
    about: [
      'The admin API covers the dashboard’s operations. Operators of the platform may use every account. Members of an account may use it in their role: a `viewer` reads; a `developer` also manages keys, webhooks, templates, messages and contacts; an `owner` also members, settings and money. Operators alone set credits, and of an account `status`, `email.verifiedDomains`, `sms.sender`, `sms.senderKind`, a `sms.provider` of `aws` or `null`, and `webhooks.maxSubscriptions`: an owner’s request with one of them is 403. Resources of other accounts are answered with 404.',
      'A person signs in by a link that is mailed to them, and sends the cookie of their session. With the cookie, a change is accepted only from a page of this service: with `Sec-Fetch-Site: same-origin`, or its own `Origin`. A script sends an operator token as `Authorization: Bearer`; on a local stack, `adminToken` in `stack.json` is one. Every change, also one that was refused, is in the audit log.',
      'Requests and responses are JSON with camelCase names; times are ISO 8601 in UTC. A success response has `data`, and a paged list also has `pagination`. An error response has `error` instead.',
    ],
    securitySchemes: {
      Bearer: { type: 'http', scheme: 'bearer', description: 'An operator token: `Authorization: Bearer ot_…`' },
      Session: { type: 'apiKey', in: 'cookie', name: '__Host-session', description: 'The session of a person' },
    },
    headers: onEveryAnswer,
    refuses: ['unauthorized', 'forbidden_scope', 'internal_error'],
    refusesReplays: ['invalid_request'],
    refusalPrefix: '',
  },
} as const satisfies Record<string, Api>;

export type ApiName = keyof typeof apis;

/** Messaging with everything that its keys can do. */
export const fullMessaging = {
  title: 'Messaging Service API, in full',
  server: '/api/v1',
  about: [
    ...apis.messaging.about.slice(0, -1),
    'This description has every endpoint that a messaging key may call, and the deliveries of webhooks. `/api/v1/openapi.json` has only those that every version of the service has.',
    ...apis.webhooks.about,
  ],
} as const;

/** All codes of an endpoint of this API. */
export const refusalsOf = (
  api: Api,
  { refuses, isReplayable }: { readonly refuses: readonly FaultCode[]; readonly isReplayable: boolean },
): readonly FaultCode[] => {
  const possible = new Set([...refuses, ...api.refuses, ...(isReplayable ? api.refusesReplays : [])]);
  return faultCodes.filter((code) => possible.has(code));
};
