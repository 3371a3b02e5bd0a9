import type { Scope } from '../shared/accounts/api-key.ts';
import type { Power } from './powers.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

/**
 * `does`: its folder under `functions`. `needs`: all that it may touch. Who may call it: with `scope`, a holder of an API key that has this
 * scope; with `keys: 'checkout'`, a holder of a checkout key; with `by: 'operator'`, whom IAM lets in; otherwise anyone.
 */
export interface Route {
  readonly does: string;
  readonly needs: readonly Power[];
  readonly scope?: Scope;
  readonly keys?: 'checkout';
  readonly by?: 'operator';
  readonly memoryMegabytes?: number;
}

/** Every HTTP endpoint. Where GET is answered, HEAD is too (`keysOf`). */
export const routes = {
  'POST /api/v1/messages': {
    does: 'messages/send-message',
    scope: 'messages:send',
    needs: ['table:read', 'table:write', 'data:open', 'email:send', 'links:make'],
    memoryMegabytes: 1024,
  },
  'GET /api/v1/messages': {
    does: 'messages/list-messages',
    scope: 'messages:read',
    needs: ['table:read', 'data:open'],
  },
  'GET /api/v1/messages/{id}': {
    does: 'messages/get-message',
    scope: 'messages:read',
    needs: ['table:read', 'data:open'],
  },

  'POST /api/v1/contacts': {
    does: 'contacts/create-contact',
    scope: 'contacts:write',
    needs: ['table:read', 'table:write', 'data:open'],
  },
  'POST /api/v1/contacts/bulk': {
    does: 'contacts/create-contacts',
    scope: 'contacts:write',
    needs: ['table:read', 'table:write', 'data:open'],
    memoryMegabytes: 1024,
  },
  'GET /api/v1/contacts': {
    does: 'contacts/list-contacts',
    scope: 'contacts:read',
    needs: ['table:read', 'data:open'],
  },
  'GET /api/v1/contacts/{id}': {
    does: 'contacts/get-contact',
    scope: 'contacts:read',
    needs: ['table:read', 'data:open'],
  },
  'PATCH /api/v1/contacts/{id}': {
    does: 'contacts/update-contact',
    scope: 'contacts:write',
    needs: ['table:read', 'table:write', 'data:open'],
  },
  'DELETE /api/v1/contacts/{id}': {
    does: 'contacts/retire-contact',
    scope: 'contacts:write',
    needs: ['table:read', 'table:write', 'data:open'],
  },

  'POST /api/v1/templates': {
    does: 'templates/create-template',
    scope: 'templates:write',
    needs: ['table:read', 'table:write', 'data:open'],
  },
  'GET /api/v1/templates': {
    does: 'templates/list-templates',
    scope: 'templates:read',
    needs: ['table:read', 'data:open'],
  },
  'GET /api/v1/templates/{id}': {
    does: 'templates/get-template',
    scope: 'templates:read',
    needs: ['table:read', 'data:open'],
  },

  'GET /api/v1/analytics/messages': {
    does: 'analytics/get-message-analytics',
    scope: 'analytics:read',
    needs: ['table:read'],
  },

  'POST /api/v1/webhooks': {
    does: 'webhooks/create-webhook',
    scope: 'webhooks:manage',
    needs: ['table:read', 'table:write', 'data:open'],
  },
  'GET /api/v1/webhooks': {
    does: 'webhooks/list-webhooks',
    scope: 'webhooks:manage',
    needs: ['table:read', 'data:open'],
  },
  'GET /api/v1/webhooks/{id}': {
    does: 'webhooks/get-webhook',
    scope: 'webhooks:manage',
    needs: ['table:read', 'data:open'],
  },
  'PATCH /api/v1/webhooks/{id}': {
    does: 'webhooks/update-webhook',
    scope: 'webhooks:manage',
    needs: ['table:write', 'data:open'],
  },
  'DELETE /api/v1/webhooks/{id}': {
    does: 'webhooks/delete-webhook',
    scope: 'webhooks:manage',
    needs: ['table:read', 'table:write', 'data:open', 'queue:deleted-webhooks'],
  },
  'POST /api/v1/webhooks/{id}/test': {
    does: 'webhooks/test-webhook',
    scope: 'webhooks:manage',
    needs: ['table:read', 'table:write', 'data:open', 'webhooks:call'],
  },
  'POST /api/v1/webhooks/{id}/regenerate-secret': {
    does: 'webhooks/regenerate-secret',
    scope: 'webhooks:manage',
    needs: ['table:write', 'data:open'],
  },
  'GET /api/v1/webhooks/{id}/logs': {
    does: 'webhooks/list-logs',
    scope: 'webhooks:manage',
    needs: ['table:read', 'data:open'],
  },

  'GET /api/v1/openapi.json': { does: 'docs/get-description', needs: [] },
  'GET /': { does: 'docs/show-start', needs: [] },
  'GET /favicon.ico': { does: 'docs/show-icon', needs: [] },
  'GET /docs': { does: 'docs/show-reference', needs: [] },
  'GET /docs/errors': { does: 'docs/show-errors', needs: [] },
  'GET /docs/webhooks': { does: 'docs/show-webhooks', needs: [] },
  'GET /docs/checkout': { does: 'docs/show-checkout-reference', needs: [] },
  'GET /docs/admin': { does: 'docs/show-admin-reference', needs: [] },

  'GET /unsubscribe/{token}': { does: 'unsubscribe/ask-to-unsubscribe', needs: [] },
  'POST /unsubscribe/{token}': {
    does: 'unsubscribe/unsubscribe-recipient',
    needs: ['table:read', 'table:write', 'data:open'],
  },

  'POST /v1/checkout-sessions': {
    does: 'checkout/create-session',
    keys: 'checkout',
    needs: ['table:read', 'table:write', 'data:open', 'links:make', 'sessions:open'],
  },
  'GET /v1/public/checkout-sessions/{id}': {
    does: 'checkout/get-session',
    needs: ['visitors:count', 'table:read', 'data:open'],
  },
  'GET /v1/public/checkout-sessions/{id}/status': {
    does: 'checkout/get-session-status',
    needs: [
      'visitors:count',
      'table:read',
      'table:write',
      'data:open',
      'links:make',
      'payments:simulate',
      'queue:payments',
    ],
  },
  'POST /v1/public/checkout-sessions/{id}/payments': {
    does: 'checkout/begin-payment',
    needs: ['visitors:count', 'table:read', 'table:write', 'data:open', 'links:make', 'payments:simulate'],
  },
  'OPTIONS /v1/checkout-sessions': { does: 'checkout/answer-preflight', needs: [] },
  'OPTIONS /v1/public/checkout-sessions/{id}/payments': { does: 'checkout/answer-preflight', needs: [] },

  'POST /callbacks/sms-reports/{token}': {
    does: 'callbacks/receive-sms-report',
    needs: ['table:read', 'table:write', 'data:open', 'sms:read-settings'],
  },
  'GET /callbacks/sms-reports/{token}': {
    does: 'callbacks/receive-sms-report',
    needs: ['table:read', 'table:write', 'data:open', 'sms:read-settings'],
  },
  'POST /callbacks/sms-inbound/{account}/{token}': {
    does: 'callbacks/receive-inbound-sms',
    needs: ['table:read', 'table:write', 'data:open', 'sms:read-settings'],
  },
  'GET /callbacks/sms-inbound/{account}/{token}': {
    does: 'callbacks/receive-inbound-sms',
    needs: ['table:read', 'table:write', 'data:open', 'sms:read-settings'],
  },
  'GET /callbacks/whatsapp/{account}': {
    does: 'callbacks/confirm-whatsapp-webhook',
    needs: ['table:read', 'data:open', 'whatsapp:read-settings'],
  },
  'POST /callbacks/whatsapp/{account}': {
    does: 'callbacks/receive-whatsapp-news',
    needs: ['table:read', 'table:write', 'data:open', 'whatsapp:read-settings'],
  },

  'GET /checkout/style.css': { does: 'checkout/show-style', needs: [] },
  'GET /checkout/{id}': {
    does: 'checkout/show-checkout',
    needs: [
      'visitors:count',
      'table:read',
      'table:write',
      'data:open',
      'links:make',
      'payments:simulate',
      'queue:payments',
    ],
  },
  'POST /checkout/{id}/pay': {
    does: 'checkout/begin-payment-by-form',
    needs: ['visitors:count', 'table:read', 'table:write', 'data:open', 'links:make', 'payments:simulate'],
  },
  'GET /checkout/{id}/payments/{paymentId}': {
    does: 'checkout/show-payment',
    needs: [
      'visitors:count',
      'table:read',
      'table:write',
      'data:open',
      'links:make',
      'payments:simulate',
      'queue:payments',
    ],
  },
  'POST /checkout/{id}/payments/{paymentId}/cancel': {
    does: 'checkout/cancel-payment',
    needs: ['visitors:count', 'table:read', 'table:write', 'data:open'],
  },
  'GET /checkout/{id}/result': {
    does: 'checkout/show-result',
    needs: ['visitors:count', 'table:read', 'data:open'],
  },

  'GET /checkout/return/{returnToken}': {
    does: 'checkout/return-from-gateway',
    needs: ['visitors:count', 'table:read', 'table:write', 'data:open', 'links:make', 'queue:payments'],
  },
  'POST /checkout/return/{returnToken}': {
    does: 'checkout/return-from-gateway',
    needs: ['visitors:count', 'table:read', 'table:write', 'data:open', 'links:make', 'queue:payments'],
  },
  'POST /callbacks/payments/{gatewayCode}/{paymentId}': {
    does: 'callbacks/receive-payment-notification',
    needs: ['table:read', 'table:write', 'data:open', 'gateways:call', 'queue:payments'],
  },

  'POST /admin/v1/accounts': {
    does: 'admin/create-account',
    by: 'operator',
    needs: ['table:write', 'data:open', 'data:create-key'],
  },
  'GET /admin/v1/accounts/{id}': { does: 'admin/get-account', by: 'operator', needs: ['table:read', 'data:open'] },
  'PATCH /admin/v1/accounts/{id}': {
    does: 'admin/update-account',
    by: 'operator',
    needs: ['table:read', 'table:write', 'data:open'],
  },
  'GET /admin/v1/accounts/{id}/callback-urls': {
    does: 'admin/list-callback-urls',
    by: 'operator',
    needs: ['table:read', 'data:open', 'links:make'],
  },
  'POST /admin/v1/accounts/{id}/whatsapp/templates/sync': {
    does: 'admin/sync-templates',
    by: 'operator',
    needs: ['table:read', 'table:write', 'data:open', 'whatsapp:read-settings'],
  },
  'GET /admin/v1/accounts/{id}/credits': { does: 'admin/get-credits', by: 'operator', needs: ['table:read'] },
  'PUT /admin/v1/accounts/{id}/credits': {
    does: 'admin/set-credits',
    by: 'operator',
    needs: ['table:read', 'table:write', 'data:open'],
  },
  'POST /admin/v1/accounts/{id}/credits/adjustments': {
    does: 'admin/adjust-credits',
    by: 'operator',
    needs: ['table:read', 'table:write', 'data:open'],
  },
  'GET /admin/v1/accounts/{id}/credits/ledger': {
    does: 'admin/list-credit-changes',
    by: 'operator',
    needs: ['table:read', 'data:open'],
  },
  'POST /admin/v1/accounts/{id}/api-keys': {
    does: 'admin/create-api-key',
    by: 'operator',
    needs: ['table:read', 'table:write', 'data:open'],
  },
  'GET /admin/v1/accounts/{id}/api-keys': {
    does: 'admin/list-api-keys',
    by: 'operator',
    needs: ['table:read', 'data:open'],
  },
  'GET /admin/v1/accounts/{id}/webhooks/{webhookId}/deliveries': {
    does: 'webhooks/list-deliveries',
    by: 'operator',
    needs: ['table:read', 'data:open'],
  },
  'POST /admin/v1/accounts/{id}/webhooks/{webhookId}/deliveries/{deliveryId}/resend': {
    does: 'webhooks/resend-delivery',
    by: 'operator',
    needs: ['table:read', 'table:write', 'data:open', 'queue:webhook-deliveries'],
  },
  'POST /admin/v1/accounts/{id}/webhooks/{webhookId}/deliveries/resend-failed': {
    does: 'webhooks/resend-failed',
    by: 'operator',
    needs: ['table:read', 'table:write', 'data:open', 'queue:webhook-deliveries'],
  },
  'POST /admin/v1/payments/{paymentId}/refunds': {
    does: 'checkout/create-refund',
    by: 'operator',
    needs: ['table:read', 'table:write', 'data:open'],
  },
  'GET /admin/v1/payments/{paymentId}/refunds': {
    does: 'checkout/list-refunds',
    by: 'operator',
    needs: ['table:read', 'data:open'],
  },
  'POST /admin/v1/payments/{paymentId}/resolution': {
    does: 'checkout/review-payment',
    by: 'operator',
    needs: ['table:read', 'table:write', 'data:open'],
  },
  'GET /admin/v1/accounts/{id}/payments': {
    does: 'checkout/list-payments',
    by: 'operator',
    needs: ['table:read', 'data:open'],
  },
  'PUT /admin/v1/checkout-sessions/{id}/chaos': {
    does: 'checkout/set-chaos',
    by: 'operator',
    needs: ['table:write'],
  },
  'POST /admin/v1/accounts/{id}/checkout-webhooks': {
    does: 'checkout/create-checkout-webhook',
    by: 'operator',
    needs: ['table:read', 'table:write', 'data:open', 'webhooks:know-targets'],
  },
  'GET /admin/v1/accounts/{id}/checkout-webhooks': {
    does: 'checkout/list-checkout-webhooks',
    by: 'operator',
    needs: ['table:read', 'data:open'],
  },
  'DELETE /admin/v1/accounts/{id}/checkout-webhooks/{webhookId}': {
    does: 'checkout/delete-checkout-webhook',
    by: 'operator',
    needs: ['table:read', 'table:write', 'data:open', 'queue:deleted-webhooks'],
  },
  'GET /admin/v1/accounts/{id}/checkout-webhooks/{webhookId}/deliveries': {
    does: 'webhooks/list-deliveries',
    by: 'operator',
    needs: ['table:read', 'data:open'],
  },
  'POST /admin/v1/accounts/{id}/checkout-webhooks/{webhookId}/deliveries/{deliveryId}/resend': {
    does: 'webhooks/resend-delivery',
    by: 'operator',
    needs: ['table:read', 'table:write', 'data:open', 'queue:webhook-deliveries'],
  },
  'POST /admin/v1/accounts/{id}/checkout-webhooks/{webhookId}/deliveries/resend-failed': {
    does: 'webhooks/resend-failed',
    by: 'operator',
    needs: ['table:read', 'table:write', 'data:open', 'queue:webhook-deliveries'],
  },
  'DELETE /admin/v1/api-keys/{keyId}': {
    does: 'admin/revoke-api-key',
    by: 'operator',
    needs: ['table:read', 'table:write'],
  },
  'POST /admin/v1/accounts/{id}/checkout-keys': {
    does: 'admin/create-checkout-key',
    by: 'operator',
    needs: ['table:read', 'table:write', 'data:open'],
  },
  'GET /admin/v1/accounts/{id}/checkout-keys': {
    does: 'admin/list-checkout-keys',
    by: 'operator',
    needs: ['table:read', 'data:open'],
  },
  'DELETE /admin/v1/checkout-keys/{keyId}': {
    does: 'admin/revoke-checkout-key',
    by: 'operator',
    needs: ['table:read', 'table:write'],
  },
  'GET /admin/v1/accounts/{id}/checkout-methods': {
    does: 'admin/list-checkout-methods',
    by: 'operator',
    needs: ['table:read', 'data:open'],
  },
  'PUT /admin/v1/accounts/{id}/checkout-methods': {
    does: 'admin/set-checkout-methods',
    by: 'operator',
    needs: ['table:read', 'table:write', 'data:open'],
  },
  'PATCH /admin/v1/contacts/{id}': {
    does: 'contacts/set-contact-status',
    by: 'operator',
    needs: ['table:read', 'table:write', 'data:open'],
  },
  'GET /admin/v1/contacts/{id}/consents': {
    does: 'contacts/list-consents',
    by: 'operator',
    needs: ['table:read', 'data:open'],
  },
  'PUT /admin/v1/contacts/{id}/consents/{channel}': {
    does: 'contacts/set-consent',
    by: 'operator',
    needs: ['table:read', 'table:write', 'data:open'],
  },
  'POST /admin/v1/accounts/{id}/whatsapp/inbound': {
    does: 'admin/record-inbound',
    by: 'operator',
    needs: ['table:read', 'table:write', 'data:open'],
  },
} as const satisfies Record<`${Method} /${string}`, Route>;

/** The API's routes for a row: GET includes HEAD, except for gateway callbacks, because those write. */
export const keysOf = (key: string): readonly string[] =>
  key.startsWith('GET ') && !key.startsWith('GET /callbacks/') ? [key, key.replace('GET', 'HEAD')] : [key];

/** Answers requests that match no route. */
export const unknownRoute: Route = { does: 'public/refuse-unknown-route', needs: [] };

/** CloudFormation allows 500 resources in one stack, so the rows are built in several. */
export const parts = ['messaging', 'checkout', 'operators'] as const;
export type Part = (typeof parts)[number];

/** The stack that a row is built in. Rows that share a folder share a stack. */
export const partOf = ({ does, by }: Route): Part => {
  if (by === 'operator') return 'operators';
  return does.startsWith('checkout/') ? 'checkout' : 'messaging';
};
