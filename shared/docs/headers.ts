import { defaultRateLimitPerMinute } from '../accounts/api-key.ts';
import { longestKey } from '../http/replay.ts';
import type { Header, Parameter, Ref } from './document.ts';

export const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Any unique string. Repeating it within 24 hours repeats the first answer, not the effect. A request that is refused frees its key; after any other failure a retry finds what the first request began.',
  schema: { type: 'string', maxLength: longestKey },
  example: 'order-1042',
};

/** Every header that an answer may carry. */
export const headers = {
  'X-Request-Id': {
    description: 'Names this request; quote it when you ask for help.',
    schema: { type: 'string' },
  },
  'X-RateLimit-Limit': {
    description: `Requests that the key may make in one minute: ${defaultRateLimitPerMinute.toLocaleString('en')}, unless another limit is set on it.`,
    schema: { type: 'integer' },
  },
  'X-RateLimit-Remaining': {
    description: 'What is left of them in this minute, never below 0.',
    schema: { type: 'integer', minimum: 0 },
  },
  'X-RateLimit-Reset': {
    description: 'When the next minute begins, in Unix seconds.',
    schema: { type: 'integer' },
  },
  'Retry-After': {
    description: 'After how many seconds a retry may succeed.',
    schema: { type: 'integer', minimum: 0 },
  },
  'WWW-Authenticate': {
    description: 'How a key is sent.',
    schema: { type: 'string' },
  },
  'Idempotent-Replay': {
    description: '`true` on an answer that is repeated under its Idempotency-Key; otherwise absent.',
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
