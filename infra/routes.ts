import type { Scope } from '../shared/accounts/api-key.ts';
import type { Power } from './powers.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * `does`: its folder under `functions`. `needs`: all that it may touch. Who may call it: with `scope`, a holder of an API key that has this
 * scope; with `by: 'operator'`, whom IAM lets in; otherwise anyone.
 */
export interface Route {
  readonly does: string;
  readonly needs: readonly Power[];
  readonly scope?: Scope;
  readonly by?: 'operator';
  readonly memoryMegabytes?: number;
}

/** Every HTTP endpoint. */
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
    needs: ['table:write', 'data:open'],
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
  'GET /docs': { does: 'docs/show-reference', needs: [] },
  'GET /docs/errors': { does: 'docs/show-errors', needs: [] },
  'GET /docs/webhooks': { does: 'docs/show-webhooks', needs: [] },

  'GET /unsubscribe/{token}': { does: 'unsubscribe/ask-to-unsubscribe', needs: [] },
  'POST /unsubscribe/{token}': {
    does: 'unsubscribe/unsubscribe-recipient',
    needs: ['table:read', 'table:write', 'data:open'],
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
  'GET /admin/v1/accounts/{id}/credits': { does: 'admin/get-credits', by: 'operator', needs: ['table:read'] },
  'PUT /admin/v1/accounts/{id}/credits': { does: 'admin/set-credits', by: 'operator', needs: ['table:write'] },
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
  'DELETE /admin/v1/api-keys/{keyId}': {
    does: 'admin/revoke-api-key',
    by: 'operator',
    needs: ['table:read', 'table:write'],
  },
  'PATCH /admin/v1/contacts/{id}': {
    does: 'contacts/set-contact-status',
    by: 'operator',
    needs: ['table:read', 'table:write', 'data:open'],
  },
} as const satisfies Record<`${Method} /${string}`, Route>;

/** What answers where no route is. */
export const unknownRoute: Route = { does: 'public/refuse-unknown-route', needs: [] };
