import { hash, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { exampleId } from '../kit/id.ts';

/** The scopes of keys (messaging specification, "Authentication"). */
export const scopes = [
  'messages:send',
  'messages:read',
  'contacts:read',
  'contacts:write',
  'templates:read',
  'templates:write',
  'analytics:read',
  'webhooks:manage',
] as const;

export const scope = z.enum(scopes);
export type Scope = z.output<typeof scope>;

/** Requests a minute, unless the key has another limit. */
export const defaultRateLimitPerMinute = 1_000;

/** A new key: 256 random bits, so a plain hash is safe to store. */
export const makeApiKey = (): string => `mk_${randomBytes(32).toString('hex')}`;

export const isApiKey = (text: string): boolean => /^mk_[0-9a-f]{64}$/.test(text);

/** The beginning of a key, to recognise it. */
export const prefixOf = (key: string): string => key.slice(0, 'mk_'.length + 4);

/** The stored hash of a key, which also finds it. */
export const hashOf = (key: string): string => hash('sha256', key);

const instant = z.string().meta({ format: 'date-time', examples: ['2026-11-20T12:00:00.000Z'] });

/** A key as shown after its creation. `prefix` is its beginning, to recognise it. */
export const apiKey = z
  .object({
    id: z.string().meta({ examples: [exampleId] }),
    name: z.string().meta({ examples: ['Shop'] }),
    prefix: z.string().meta({ examples: ['mk_0123'] }),
    scopes: z.array(scope).meta({ examples: [['messages:send', 'messages:read']] }),
    rateLimitPerMinute: z.int().meta({ examples: [defaultRateLimitPerMinute] }),
    createdAt: instant,
    revokedAt: instant.nullable().meta({ examples: [null] }),
  })
  .meta({ id: 'ApiKey', description: 'A key without its secret part.' });

export type ApiKey = z.output<typeof apiKey>;
