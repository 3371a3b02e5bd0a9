import { createHmac } from 'node:crypto';
import * as z from 'zod';
import { isSameText } from '../../shared/kit/same-text.ts';
import { eventNames } from '../../shared/webhooks/events.ts';
import type { RunningStack } from './running-stack.ts';

/** How `npm run listen` subscribes to an API, and what its deliveries look like. */
export interface ListenedApi {
  /** All of it, or what the API takes when none is named. */
  readonly usualEvents: readonly string[] | undefined;
  readonly eventHeader: string;
  readonly signatureHeader: string;
  /** Where subscriptions are made, and with what. */
  place(stack: RunningStack): { readonly url: string; readonly headers: Readonly<Record<string, string>> };
  readonly created: z.ZodType<{ readonly id: string; readonly secret: string }>;
  isVerified(header: string, secret: string, body: string): boolean;
}

const hmac = (secret: string, text: string): string => createHmac('sha256', secret).update(text).digest('hex');

const timed = /^t=(\d+)(?:,v1=[0-9a-f]{64})+$/;

export const listenedApis = {
  messaging: {
    usualEvents: eventNames,
    eventHeader: 'x-service-event',
    signatureHeader: 'x-service-signature',
    place: ({ apiBaseUrl, keys }) => ({ url: `${apiBaseUrl}/webhooks`, headers: { 'x-api-key': keys.messaging } }),
    created: z
      .object({ data: z.object({ webhook: z.object({ id: z.string() }), secret: z.string() }) })
      .transform(({ data: { webhook, secret } }) => ({ id: webhook.id, secret })),
    /** Messaging specification, "Signature". */
    isVerified: (header, secret, body) => {
      const [, seconds] = timed.exec(header) ?? [];
      const expected = hmac(secret, `${seconds}.${body}`);
      return header
        .split(',v1=')
        .slice(1)
        .some((one) => isSameText(one, expected));
    },
  },
  checkout: {
    usualEvents: undefined,
    eventHeader: 'x-checkout-event',
    signatureHeader: 'x-checkout-signature',
    place: ({ adminBaseUrl, adminToken, accountId }) => ({
      url: `${adminBaseUrl}/accounts/${accountId}/checkout-webhooks`,
      headers: { authorization: `Bearer ${adminToken}` },
    }),
    created: z
      .object({ data: z.object({ id: z.string(), secret: z.string() }) })
      .transform(({ data: { id, secret } }) => ({ id, secret })),
    /** Checkout specification, "Request headers". */
    isVerified: (header, secret, body) => isSameText(header, `sha256=${hmac(secret, body)}`),
  },
} as const satisfies Record<string, ListenedApi>;
