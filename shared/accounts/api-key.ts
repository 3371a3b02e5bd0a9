import { createHash, randomBytes } from 'node:crypto';
import * as z from 'zod';

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

/** The stored hash of a key, which also finds it. */
export const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');

/** A key as shown to operators after its creation. `prefix` is its beginning, to recognise it. */
export const apiKey = z
  .object({
    id: z.string(),
    name: z.string(),
    prefix: z.string(),
    scopes: z.array(scope),
    rateLimitPerMinute: z.int(),
    createdAt: z.string(),
    revokedAt: z.string().nullable(),
  })
  .meta({ id: 'ApiKey', description: 'A key without its secret part.' });

export type ApiKey = z.output<typeof apiKey>;
