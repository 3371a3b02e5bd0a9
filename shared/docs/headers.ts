import { defaultRateLimitPerMinute } from '../accounts/api-key.ts';
import { longestKey } from '../http/idempotency.ts';
import { grouped } from '../kit/grouped.ts';
import type { Header, Parameter, Ref } from './document.ts';

export const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Any unique string. A key that is repeated within 24 hours (that of a refund: at any time) has no second effect: messaging returns the first response, the checkout what was made, as it is now. A rejected request releases its key. After any other failure, a retry with the same key continues what the first request began.',
  schema: { type: 'string', maxLength: longestKey },
  example: 'order-1042',
};

/** Every header that an answer may carry. */
export const headers = {
  'X-Request-Id': {
    description: 'Identifies this request. Quote it when you contact support.',
    schema: { type: 'string' },
  },
  'X-RateLimit-Limit': {
    description: `The number of requests that the key may make in a minute: ${grouped(defaultRateLimitPerMinute)}, unless the key has another limit.`,
    schema: { type: 'integer' },
  },
  'X-RateLimit-Remaining': {
    description: 'The number of requests left in this minute.',
    schema: { type: 'integer', minimum: 0 },
  },
  'X-RateLimit-Reset': {
    description: 'The time at which the next minute begins, in Unix seconds.',
    schema: { type: 'integer' },
  },
  'Retry-After': {
    description: 'The number of seconds to wait before a retry.',
    schema: { type: 'integer', minimum: 0 },
  },
  'WWW-Authenticate': {
    description: 'The accepted ways to send a key.',
    schema: { type: 'string' },
  },
  'Idempotent-Replay': {
    description: '`true` if the response is replayed for a repeated Idempotency-Key; otherwise absent.',
    schema: { type: 'string', enum: ['true'] },
  },
} as const satisfies Record<string, Header>;

export type HeaderName = keyof typeof headers;

export const onEveryAnswer: readonly HeaderName[] = ['X-Request-Id'];

/** On every answer to a caller whose key is known. */
export const onKeyedAnswers: readonly HeaderName[] = [
  ...onEveryAnswer,
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

export const refer = (names: readonly HeaderName[]): Readonly<Record<string, Ref>> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
