import { createHash, randomBytes } from 'node:crypto';
import * as z from 'zod';

/** What a key may be allowed (specification, "Authentication"). */
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

/** Requests a minute, unless another limit is set on the key. */
export const defaultRateLimitPerMinute = 1_000;

/** A fresh key: 256 random bits, so a plain hash of it is safe to keep. */
export const makeApiKey = (): string => `mk_${randomBytes(32).toString('hex')}`;

export const isApiKey = (text: string): boolean => /^mk_[0-9a-f]{64}$/.test(text);

/** What is kept of a key, and what it is found by. */
export const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');

/** What an operator sees of a key after its creation. `prefix` is its beginning, to tell keys apart. */
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
