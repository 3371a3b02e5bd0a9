import { type Auth, kindOf } from './auth.ts';
import type { Power } from './powers.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

/**
 * `does`: its folder under `functions`. `auth`: who may call it; nothing else says so. `needs`: all that it may touch, beside what letting
 * its callers in takes.
 */
export interface Route {
  readonly does: string;
  readonly auth: Auth;
  readonly needs: readonly Power[];
  /** The specification does not have it: `openapi.json` leaves it out, `/docs/additions` has it. */
  readonly isAddition?: true;
  readonly memoryMegabytes?: number;
  /** Its part of the concurrency that is reserved for sending and money, in percent (`infra/concurrency.ts`). */
  readonly reservedPercent?: number;
}

/** What accepting a message takes, alone or in a batch. */
const acceptingPowers: readonly Power[] = [
  'account:read',
  'credits:read',
  'contacts:read',
  'messages:read',
  'templates:read',
  'transfers:read',
  'credits:write',
  'contacts:write',
  'messages:write',
  'idempotency:read',
  'idempotency:write',
  'spread:raise',
  'data:open',
  'email:send',
  'email:know-sender',
  'links:make',
  'attachments:read',
];

/** Every HTTP endpoint. Where GET is answered, HEAD is too (`keysOf`). */
export const routes = {
  'POST /api/v1/messages': {
    does: 'messages/send-message',
    auth: { apiKey: 'messages:send' },
    needs: acceptingPowers,
    memoryMegabytes: 1024,
    reservedPercent: 50,
  },
  'POST /api/v1/messages/batch': {
    does: 'messages/send-messages',
    auth: { apiKey: 'messages:send' },
    needs: acceptingPowers,
    isAddition: true,
    memoryMegabytes: 1024,
    reservedPercent: 8,
  },
  'POST /api/v1/messages/preview': {
    does: 'messages/preview-message',
    auth: { apiKey: 'messages:send', noting: 'never' },
    needs: [
      'account:read',
      'credits:read',
      'contacts:read',
      'templates:read',
      'transfers:read',
      'data:open',
      'email:know-sender',
      'attachments:read',
    ],
    isAddition: true,
  },
  'GET /api/v1/messages': {
    does: 'messages/list-messages',
    auth: { apiKey: 'messages:read' },
    needs: ['account:read', 'messages:read', 'data:open'],
  },
  'GET /api/v1/messages/export': {
    does: 'messages/start-message-export',
    auth: { apiKey: 'messages:read', noting: 'always' },
    isAddition: true,
    needs: ['rates:count', 'transfers:write', 'data:open', 'queue:chores'],
  },
  'GET /api/v1/messages/exports/{id}': {
    does: 'messages/get-message-export',
    auth: { apiKey: 'messages:read' },
    isAddition: true,
    needs: ['transfers:read', 'data:open', 'exports:read'],
  },
  'GET /api/v1/messages/{id}': {
    does: 'messages/get-message',
    auth: { apiKey: 'messages:read' },
    needs: ['account:read', 'messages:read', 'data:open'],
  },
  'GET /api/v1/messages/{id}/events': {
    does: 'messages/get-timeline',
    auth: { apiKey: 'messages:read' },
    isAddition: true,
    needs: ['account:read', 'messages:read', 'webhooks:read', 'data:open'],
  },
  'PATCH /api/v1/messages/{id}': {
    does: 'messages/reschedule-message',
    auth: { apiKey: 'messages:send' },
    needs: ['account:read', 'messages:read', 'messages:write', 'data:open'],
    isAddition: true,
  },
  'DELETE /api/v1/messages/{id}': {
    does: 'messages/cancel-message',
    auth: { apiKey: 'messages:send' },
    needs: ['account:read', 'messages:read', 'messages:write', 'credits:write', 'data:open'],
    isAddition: true,
  },

  'GET /api/v1/account': {
    does: 'account/get-account',
    auth: { apiKey: 'any' },
    isAddition: true,
    needs: ['account:read', 'credits:read', 'data:open'],
  },

  'POST /api/v1/attachments': {
    does: 'attachments/create-attachment',
    auth: { apiKey: 'messages:send' },
    isAddition: true,
    needs: ['transfers:write', 'idempotency:read', 'idempotency:write', 'data:open', 'attachments:offer'],
  },

  'POST /api/v1/contacts': {
    does: 'contacts/create-contact',
    auth: { apiKey: 'contacts:write' },
    needs: ['contacts:read', 'contacts:write', 'idempotency:read', 'idempotency:write', 'data:open'],
  },
  'POST /api/v1/contacts/bulk': {
    does: 'contacts/create-contacts',
    auth: { apiKey: 'contacts:write' },
    needs: ['contacts:read', 'contacts:write', 'idempotency:read', 'idempotency:write', 'data:open'],
    memoryMegabytes: 1024,
  },
  'POST /api/v1/contacts/import': {
    does: 'contacts/start-import',
    auth: { apiKey: 'contacts:write' },
    isAddition: true,
    needs: [
      'rates:count',
      'transfers:write',
      'idempotency:read',
      'idempotency:write',
      'data:open',
      'imports:offer',
      'queue:chores',
    ],
  },
  'GET /api/v1/contacts/imports/{id}': {
    does: 'contacts/get-import',
    auth: { apiKey: 'contacts:write' },
    isAddition: true,
    needs: ['transfers:read', 'data:open', 'imports:notice', 'refused-rows:read', 'queue:chores'],
  },
  'GET /api/v1/contacts': {
    does: 'contacts/list-contacts',
    auth: { apiKey: 'contacts:read' },
    // The items of credits count the contacts that sends create.
    needs: ['contacts:read', 'credits:read', 'data:open'],
    memoryMegabytes: 1024,
  },
  'GET /api/v1/contacts/export': {
    does: 'contacts/start-contact-export',
    auth: { apiKey: 'contacts:read', noting: 'always' },
    isAddition: true,
    needs: ['rates:count', 'transfers:write', 'data:open', 'queue:chores'],
  },
  'GET /api/v1/contacts/exports/{id}': {
    does: 'contacts/get-contact-export',
    auth: { apiKey: 'contacts:read' },
    isAddition: true,
    needs: ['transfers:read', 'data:open', 'exports:read'],
  },
  'GET /api/v1/contacts/{id}': {
    does: 'contacts/get-contact',
    auth: { apiKey: 'contacts:read' },
    needs: ['contacts:read', 'data:open'],
  },
  'PATCH /api/v1/contacts/{id}': {
    does: 'contacts/update-contact',
    auth: { apiKey: 'contacts:write' },
    needs: ['contacts:read', 'contacts:write', 'data:open'],
  },
  'DELETE /api/v1/contacts/{id}': {
    does: 'contacts/retire-contact',
    auth: { apiKey: 'contacts:write' },
    needs: ['contacts:read', 'contacts:write', 'data:open'],
  },

  'GET /api/v1/suppressions': {
    does: 'suppressions/list-suppressions',
    auth: { apiKey: 'contacts:read' },
    isAddition: true,
    needs: ['contacts:read', 'data:open'],
  },
  'POST /api/v1/suppressions': {
    does: 'suppressions/create-suppression',
    auth: { apiKey: 'contacts:write' },
    isAddition: true,
    needs: ['contacts:write', 'data:open'],
  },
  'DELETE /api/v1/suppressions/{channel}/{address}': {
    does: 'suppressions/delete-suppression',
    auth: { apiKey: 'contacts:write' },
    isAddition: true,
    needs: ['contacts:read', 'contacts:write', 'data:open'],
  },

  'POST /api/v1/templates': {
    does: 'templates/create-template',
    auth: { apiKey: 'templates:write' },
    needs: ['templates:write', 'idempotency:read', 'idempotency:write', 'data:open'],
  },
  'GET /api/v1/templates': {
    does: 'templates/list-templates',
    auth: { apiKey: 'templates:read' },
    needs: ['templates:read', 'data:open'],
  },
  'GET /api/v1/templates/{id}': {
    does: 'templates/get-template',
    auth: { apiKey: 'templates:read' },
    needs: ['templates:read', 'data:open'],
  },
  'PATCH /api/v1/templates/{id}': {
    does: 'templates/update-template',
    auth: { apiKey: 'templates:write' },
    needs: ['templates:read', 'templates:write', 'data:open'],
    isAddition: true,
  },
  'DELETE /api/v1/templates/{id}': {
    does: 'templates/archive-template',
    auth: { apiKey: 'templates:write' },
    needs: ['templates:read', 'templates:write', 'data:open'],
    isAddition: true,
  },
  'GET /api/v1/templates/{id}/versions': {
    does: 'templates/list-versions',
    auth: { apiKey: 'templates:read' },
    needs: ['templates:read', 'data:open'],
    isAddition: true,
  },
  'POST /api/v1/templates/{id}/preview': {
    does: 'templates/preview-template',
    auth: { apiKey: 'templates:read', noting: 'never' },
    needs: ['templates:read', 'data:open'],
    isAddition: true,
  },

  'GET /api/v1/analytics/messages': {
    does: 'analytics/get-message-analytics',
    auth: { apiKey: 'analytics:read' },
    needs: ['account:read', 'messages:read', 'counts:read'],
  },

  'POST /api/v1/webhooks': {
    does: 'webhooks/create-webhook',
    auth: { apiKey: 'webhooks:manage' },
    needs: ['account:read', 'webhooks:read', 'webhooks:write', 'data:open'],
  },
  'GET /api/v1/webhooks': {
    does: 'webhooks/list-webhooks',
    auth: { apiKey: 'webhooks:manage' },
    needs: ['webhooks:read', 'data:open'],
  },
  'GET /api/v1/webhooks/{id}': {
    does: 'webhooks/get-webhook',
    auth: { apiKey: 'webhooks:manage' },
    needs: ['webhooks:read', 'data:open'],
  },
  'PATCH /api/v1/webhooks/{id}': {
    does: 'webhooks/update-webhook',
    auth: { apiKey: 'webhooks:manage' },
    needs: ['webhooks:read', 'webhooks:write', 'data:open'],
  },
  'DELETE /api/v1/webhooks/{id}': {
    does: 'webhooks/delete-webhook',
    auth: { apiKey: 'webhooks:manage' },
    needs: ['webhooks:read', 'webhooks:write', 'data:open', 'queue:chores'],
  },
  'POST /api/v1/webhooks/{id}/test': {
    does: 'webhooks/test-webhook',
    auth: { apiKey: 'webhooks:manage' },
    needs: ['rates:count', 'webhooks:read', 'webhooks:write', 'data:open', 'webhooks:call'],
  },
  'POST /api/v1/webhooks/{id}/regenerate-secret': {
    does: 'webhooks/regenerate-secret',
    auth: { apiKey: 'webhooks:manage' },
    needs: ['webhooks:read', 'webhooks:write', 'data:open'],
  },
  'POST /api/v1/webhooks/{id}/rotate-secret': {
    does: 'webhooks/rotate-secret',
    auth: { apiKey: 'webhooks:manage' },
    needs: ['webhooks:read', 'webhooks:write', 'data:open'],
  },
  'POST /api/v1/webhooks/{id}/replay': {
    does: 'webhooks/replay-events',
    auth: { apiKey: 'webhooks:manage' },
    needs: ['rates:count', 'webhooks:read', 'data:open', 'queue:chores'],
  },
  'GET /api/v1/webhooks/{id}/logs': {
    does: 'webhooks/list-logs',
    auth: { apiKey: 'webhooks:manage' },
    needs: ['webhooks:read', 'data:open'],
  },

  'GET /api/v1/events': {
    does: 'webhooks/list-events',
    auth: { apiKey: 'webhooks:manage' },
    needs: ['webhooks:read', 'data:open'],
    isAddition: true,
  },

  'GET /api/v1/openapi.json': { does: 'docs/show-docs', auth: 'public', needs: [] },
  'GET /api/v1/openapi-full.json': { does: 'docs/show-docs', auth: 'public', needs: [] },
  'GET /v1/openapi.json': { does: 'docs/show-docs', auth: 'public', needs: [] },
  // Reserved like everything under /admin/v1.
  'GET /admin/v1/openapi.json': { does: 'docs/get-admin-description', auth: { role: 'anyone' }, needs: [] },
  'GET /': { does: 'docs/show-docs', auth: 'public', needs: [] },
  'GET /favicon.ico': { does: 'docs/show-docs', auth: 'public', needs: [] },
  'GET /docs': { does: 'docs/show-docs', auth: 'public', needs: [] },
  'GET /docs/{path+}': { does: 'docs/show-docs', auth: 'public', needs: [] },
  'GET /llms.txt': { does: 'docs/show-docs', auth: 'public', needs: [] },

  'GET /dashboard': { does: 'dashboard/show-app', auth: 'public', needs: [] },
  'GET /dashboard/{path+}': { does: 'dashboard/show-app', auth: 'public', needs: [] },
  'GET /dashboard/assets/{file}': { does: 'dashboard/show-app', auth: 'public', needs: [] },

  'GET /unsubscribe/{token}': { does: 'unsubscribe/ask-to-unsubscribe', auth: 'public', needs: [] },
  'POST /unsubscribe/{token}': {
    does: 'unsubscribe/unsubscribe-recipient',
    auth: 'public',
    needs: [
      'account:read',
      'messages:read',
      'contacts:read',
      'messages:write',
      'contacts:write',
      'data:open',
      'rates:count',
    ],
  },

  'POST /v1/checkout-sessions': {
    does: 'checkout/create-session',
    auth: { checkoutKey: 'secret-or-publishable' },
    needs: [
      'account:read',
      'rates:count',
      'checkout:read',
      'checkout:write',
      'data:open',
      'links:make',
      'sessions:open',
    ],
    reservedPercent: 10,
  },
  'GET /v1/checkout-sessions': {
    does: 'merchants/list-sessions',
    auth: { checkoutKey: 'secret' },
    needs: ['account:read', 'checkout:read', 'data:open', 'links:make'],
  },
  'GET /v1/checkout-sessions/{id}': {
    does: 'merchants/retrieve-session',
    auth: { checkoutKey: 'secret' },
    needs: ['account:read', 'checkout:read', 'data:open', 'links:make'],
  },
  'POST /v1/checkout-sessions/{id}/expire': {
    does: 'merchants/expire-session',
    auth: { checkoutKey: 'secret' },
    needs: [
      'account:read',
      'checkout:read',
      'gateways:read',
      'checkout:write',
      'gateways:write',
      'data:open',
      'links:make',
      'payments:simulate',
      'gateways:call',
    ],
  },
  'GET /v1/payments': {
    does: 'merchants/list-payments',
    auth: { checkoutKey: 'secret' },
    needs: ['account:read', 'checkout:read', 'data:open'],
  },
  'GET /v1/payments/{id}': {
    does: 'merchants/get-payment',
    auth: { checkoutKey: 'secret' },
    needs: ['account:read', 'checkout:read', 'data:open'],
  },
  'POST /v1/payments/{id}/refunds': {
    does: 'merchants/refund-payment',
    auth: { checkoutKey: 'secret' },
    needs: ['checkout:read', 'checkout:write', 'data:open'],
  },
  'GET /v1/refunds': {
    does: 'merchants/list-refunds',
    auth: { checkoutKey: 'secret' },
    needs: ['checkout:read', 'data:open'],
  },
  'GET /v1/refunds/{id}': {
    does: 'merchants/get-refund',
    auth: { checkoutKey: 'secret' },
    needs: ['checkout:read', 'data:open'],
  },
  'GET /v1/public/checkout-sessions/{id}': {
    does: 'checkout/get-session',
    auth: 'payer',
    needs: ['account:read', 'checkout:read', 'data:open'],
  },
  'GET /v1/public/checkout-sessions/{id}/status': {
    does: 'checkout/get-session-status',
    auth: 'payer',
    needs: [
      'account:read',
      'checkout:read',
      'checkout:write',
      'data:open',
      'links:make',
      'payments:simulate',
      'queue:payments',
    ],
  },
  'POST /v1/public/checkout-sessions/{id}/payments': {
    does: 'checkout/begin-payment',
    auth: 'payer',
    needs: ['account:read', 'checkout:read', 'checkout:write', 'data:open', 'links:make', 'payments:simulate'],
    reservedPercent: 8,
  },
  'OPTIONS /v1/checkout-sessions': { does: 'checkout/answer-preflight', auth: 'public', needs: [] },
  'OPTIONS /v1/public/checkout-sessions/{id}': { does: 'checkout/answer-preflight', auth: 'public', needs: [] },
  'OPTIONS /v1/public/checkout-sessions/{id}/status': { does: 'checkout/answer-preflight', auth: 'public', needs: [] },
  'OPTIONS /v1/public/checkout-sessions/{id}/payments': {
    does: 'checkout/answer-preflight',
    auth: 'public',
    needs: [],
  },

  'POST /callbacks/sms-reports/{token}': {
    does: 'callbacks/receive-sms-report',
    auth: 'provider',
    needs: [
      'account:read',
      'messages:read',
      'contacts:read',
      'messages:write',
      'contacts:write',
      'data:open',
      'sms:read-settings',
    ],
  },
  'GET /callbacks/sms-reports/{token}': {
    does: 'callbacks/receive-sms-report',
    auth: 'provider',
    needs: [
      'account:read',
      'messages:read',
      'contacts:read',
      'messages:write',
      'contacts:write',
      'data:open',
      'sms:read-settings',
    ],
  },
  'POST /callbacks/sms-inbound/{account}/{token}': {
    does: 'callbacks/receive-inbound-sms',
    auth: 'provider',
    needs: [
      'account:read',
      'messages:read',
      'contacts:read',
      'messages:write',
      'contacts:write',
      'data:open',
      'sms:read-settings',
    ],
  },
  'GET /callbacks/sms-inbound/{account}/{token}': {
    does: 'callbacks/receive-inbound-sms',
    auth: 'provider',
    needs: [
      'account:read',
      'messages:read',
      'contacts:read',
      'messages:write',
      'contacts:write',
      'data:open',
      'sms:read-settings',
    ],
  },
  'GET /callbacks/whatsapp/{account}': {
    does: 'callbacks/confirm-whatsapp-webhook',
    auth: 'provider',
    needs: ['account:read', 'data:open', 'whatsapp:read-settings'],
  },
  'POST /callbacks/whatsapp/{account}': {
    does: 'callbacks/receive-whatsapp-news',
    auth: 'provider',
    needs: [
      'account:read',
      'messages:read',
      'contacts:read',
      'templates:read',
      'messages:write',
      'contacts:write',
      'templates:write',
      'data:open',
      'whatsapp:read-settings',
    ],
  },

  'GET /checkout/style.css': { does: 'checkout/show-style', auth: 'public', needs: [] },
  'GET /checkout/page.js': { does: 'checkout/show-script', auth: 'public', needs: [] },
  'GET /checkout/logos/{id}': { does: 'checkout/show-logo', auth: 'public', needs: ['logos:read'] },
  'GET /checkout/{id}': {
    does: 'checkout/show-checkout',
    auth: 'payer',
    needs: [
      'account:read',
      'checkout:read',
      'checkout:write',
      'data:open',
      'links:make',
      'payments:simulate',
      'queue:payments',
    ],
  },
  'POST /checkout/{id}/pay': {
    does: 'checkout/begin-payment-by-form',
    auth: 'payer',
    needs: ['account:read', 'checkout:read', 'checkout:write', 'data:open', 'links:make', 'payments:simulate'],
    reservedPercent: 8,
  },
  'GET /checkout/{id}/payments/{paymentId}': {
    does: 'checkout/show-payment',
    auth: 'payer',
    needs: [
      'account:read',
      'checkout:read',
      'checkout:write',
      'data:open',
      'links:make',
      'payments:simulate',
      'queue:payments',
    ],
  },
  'POST /checkout/{id}/payments/{paymentId}/cancel': {
    does: 'checkout/cancel-payment',
    auth: 'payer',
    needs: ['checkout:read', 'checkout:write', 'data:open'],
  },
  'GET /checkout/{id}/result': {
    does: 'checkout/show-result',
    auth: 'payer',
    needs: ['account:read', 'checkout:read', 'data:open'],
  },

  'GET /checkout/return/{returnToken}': {
    does: 'checkout/return-from-gateway',
    auth: 'payerToken',
    needs: ['checkout:read', 'checkout:write', 'data:open', 'links:make', 'queue:payments'],
    reservedPercent: 8,
  },
  'POST /checkout/return/{returnToken}': {
    does: 'checkout/return-from-gateway',
    auth: 'payerToken',
    needs: ['checkout:read', 'checkout:write', 'data:open', 'links:make', 'queue:payments'],
    reservedPercent: 8,
  },
  'POST /callbacks/payments/{gatewayCode}/{paymentId}': {
    does: 'callbacks/receive-payment-notification',
    auth: 'provider',
    needs: [
      'account:read',
      'checkout:read',
      'gateways:read',
      'checkout:write',
      'gateways:write',
      'data:open',
      'gateways:call',
      'queue:payments',
    ],
    reservedPercent: 8,
  },

  'POST /dashboard/sign-in': {
    does: 'people/ask-to-sign-in',
    auth: 'public',
    needs: ['people:read', 'sign-ins:write', 'data:open', 'rates:count'],
  },
  'GET /dashboard/sign-in/{token}': {
    does: 'people/sign-in',
    auth: 'public',
    needs: ['people:read', 'sign-ins:read', 'sign-ins:write', 'data:open'],
  },
  'POST /dashboard/sign-in/{token}': {
    does: 'people/sign-in',
    auth: 'public',
    needs: ['people:read', 'sign-ins:read', 'sign-ins:write', 'data:open'],
  },
  'POST /admin/v1/sign-out': {
    does: 'people/sign-out',
    auth: { role: 'anyone' },
    needs: ['sign-ins:write', 'access:read', 'access-keys:end'],
  },
  'GET /admin/v1/me': {
    does: 'people/get-me',
    auth: { role: 'anyone' },
    needs: ['account:read'],
  },
  'GET /admin/v1/sessions': {
    does: 'people/list-sessions',
    auth: { role: 'anyone' },
    needs: [],
  },
  'DELETE /admin/v1/sessions/{sessionId}': {
    does: 'people/end-session',
    auth: { role: 'anyone' },
    needs: ['sign-ins:write', 'access:read', 'access-keys:end'],
  },
  'GET /admin/v1/accounts': {
    does: 'people/list-accounts',
    auth: { role: 'anyone' },
    needs: ['account:read', 'all-accounts:read'],
  },
  'POST /admin/v1/accounts/{id}/access-keys': {
    does: 'people/create-access-key',
    auth: { role: 'viewer', of: 'account', gives: 'account', isNotedOf: 'programs' },
    needs: ['keys:write', 'access:write', 'people:write', 'sign-ins:write', 'rates:count'],
  },
  'GET /admin/v1/accounts/{id}/members': {
    does: 'people/list-members',
    auth: { role: 'viewer', of: 'account' },
    needs: ['account:read'],
  },
  'POST /admin/v1/accounts/{id}/members': {
    does: 'people/add-member',
    auth: { role: 'owner', of: 'account', whileActive: true },
    needs: ['account:read', 'people:write', 'rates:count'],
  },
  'PATCH /admin/v1/accounts/{id}/members/{memberId}': {
    does: 'people/change-member',
    auth: { role: 'owner', of: 'account', gives: 'account' },
    needs: ['people:write', 'access:read', 'access-keys:end'],
  },
  'DELETE /admin/v1/accounts/{id}/members/{memberId}': {
    does: 'people/remove-member',
    // Of others, owners only.
    auth: { role: 'viewer', of: 'account', gives: 'account' },
    needs: ['people:write', 'access:read', 'access-keys:end'],
  },
  'GET /admin/v1/accounts/{id}/audit-log': {
    does: 'people/list-account-changes',
    auth: { role: 'viewer', of: 'account', gives: 'account' },
    needs: ['audit:read'],
  },
  'GET /admin/v1/audit-log': {
    does: 'people/list-changes',
    auth: { role: 'operator' },
    needs: ['audit:read'],
  },
  'GET /admin/v1/operators': {
    does: 'people/list-operators',
    auth: { role: 'operator' },
    needs: [],
  },
  'POST /admin/v1/operators': {
    does: 'people/add-operator',
    auth: { role: 'operator' },
    needs: ['people:write'],
  },
  'DELETE /admin/v1/operators/{operatorId}': {
    does: 'people/remove-operator',
    auth: { role: 'operator' },
    needs: ['people:write', 'access:read', 'access-keys:end'],
  },
  'GET /admin/v1/operator-tokens': {
    does: 'people/list-operator-tokens',
    auth: { role: 'operator' },
    needs: [],
  },
  'POST /admin/v1/operator-tokens': {
    does: 'people/create-operator-token',
    auth: { role: 'operator' },
    needs: ['sign-ins:write'],
  },
  'DELETE /admin/v1/operator-tokens/{tokenId}': {
    does: 'people/revoke-operator-token',
    auth: { role: 'operator' },
    needs: ['sign-ins:write', 'access:read', 'access-keys:end'],
  },

  'POST /admin/v1/accounts': {
    does: 'admin/create-account',
    auth: { role: 'operator', makes: 'account' },
    needs: ['account:write', 'credits:write', 'data:open', 'data:create-key'],
  },
  'GET /admin/v1/accounts/{id}': {
    does: 'admin/get-account',
    auth: { role: 'viewer', of: 'account' },
    needs: ['account:read', 'data:open'],
  },
  'PATCH /admin/v1/accounts/{id}': {
    does: 'admin/update-account',
    auth: { role: 'owner', of: 'account' },
    needs: [
      'account:read',
      'all-accounts:read',
      'senders:read',
      'account:write',
      'senders:write',
      'logos:write',
      'data:open',
      'webhooks:know-targets',
    ],
  },
  'GET /admin/v1/accounts/{id}/callback-urls': {
    does: 'admin/list-callback-urls',
    auth: { role: 'developer', of: 'account' },
    needs: ['account:read', 'data:open', 'links:make'],
  },
  'POST /admin/v1/accounts/{id}/callback-urls/rotate': {
    does: 'admin/rotate-callback-urls',
    auth: { role: 'developer', of: 'account' },
    needs: ['account:read', 'inbound-urls:rotate', 'data:open', 'links:make'],
  },
  'POST /admin/v1/accounts/{id}/whatsapp/templates/sync': {
    does: 'admin/sync-templates',
    auth: { role: 'developer', of: 'account' },
    needs: ['account:read', 'templates:read', 'templates:write', 'data:open', 'whatsapp:read-settings'],
  },
  'GET /admin/v1/accounts/{id}/credits': {
    does: 'admin/get-credits',
    auth: { role: 'viewer', of: 'account' },
    needs: ['credits:read'],
  },
  'PUT /admin/v1/accounts/{id}/credits': {
    does: 'admin/set-credits',
    auth: { role: 'operator', of: 'account', gives: 'account' },
    needs: ['credits:read', 'credits:write', 'ledger:write', 'data:open'],
  },
  'POST /admin/v1/accounts/{id}/credits/adjustments': {
    does: 'admin/adjust-credits',
    auth: { role: 'operator', of: 'account', gives: 'account' },
    needs: ['credits:read', 'credits:write', 'ledger:write', 'idempotency:read', 'idempotency:write', 'data:open'],
  },
  'GET /admin/v1/accounts/{id}/credits/ledger': {
    does: 'admin/list-credit-changes',
    auth: { role: 'viewer', of: 'account', gives: 'account' },
    needs: ['ledger:read', 'counts:read', 'data:open'],
  },
  'GET /admin/v1/accounts/{id}/requests': {
    does: 'admin/list-requests',
    auth: { role: 'viewer', of: 'account', gives: 'account' },
    needs: ['requests:read', 'data:open'],
  },
  'PUT /admin/v1/accounts/{id}/spread': {
    does: 'admin/raise-spread',
    auth: { role: 'operator', of: 'account' },
    needs: ['account:read', 'spread:raise', 'data:open'],
  },
  'POST /admin/v1/accounts/{id}/api-keys': {
    does: 'admin/create-api-key',
    auth: { role: 'developer', of: 'account' },
    needs: ['account:read', 'keys:write', 'data:open'],
  },
  'GET /admin/v1/accounts/{id}/api-keys': {
    does: 'admin/list-api-keys',
    auth: { role: 'viewer', of: 'account' },
    needs: ['account:read', 'key-lists:read', 'data:open'],
  },
  'GET /admin/v1/accounts/{id}/webhooks': {
    does: 'admin/list-webhooks',
    auth: { role: 'viewer', of: 'account' },
    needs: ['account:read', 'webhooks:read', 'data:open'],
  },
  'GET /admin/v1/accounts/{id}/webhooks/{webhookId}/deliveries': {
    does: 'webhooks/list-deliveries',
    auth: { role: 'viewer', of: 'account' },
    needs: ['account:read', 'webhooks:read', 'data:open', 'retries:know'],
  },
  'POST /admin/v1/accounts/{id}/webhooks/{webhookId}/deliveries/{deliveryId}/resend': {
    does: 'webhooks/resend-delivery',
    auth: { role: 'developer', of: 'account' },
    needs: ['account:read', 'webhooks:read', 'webhooks:write', 'data:open', 'queue:webhook-deliveries'],
  },
  'POST /admin/v1/accounts/{id}/webhooks/{webhookId}/deliveries/resend-failed': {
    does: 'webhooks/resend-failed',
    auth: { role: 'developer', of: 'account' },
    needs: ['account:read', 'webhooks:read', 'webhooks:write', 'data:open', 'queue:webhook-deliveries'],
  },
  'POST /admin/v1/payments/{paymentId}/refunds': {
    does: 'admin/create-refund',
    auth: { role: 'owner', of: 'payment', whileActive: true },
    needs: ['checkout:read', 'checkout:write', 'data:open'],
  },
  'GET /admin/v1/payments/{paymentId}/refunds': {
    does: 'admin/list-refunds',
    auth: { role: 'viewer', of: 'payment' },
    needs: ['checkout:read', 'data:open'],
  },
  'POST /admin/v1/payments/{paymentId}/refunds/{refundId}/resolution': {
    does: 'admin/review-refund',
    auth: { role: 'owner', of: 'payment', whileActive: true },
    needs: ['checkout:read', 'checkout:write', 'data:open'],
  },
  'POST /admin/v1/payments/{paymentId}/resolution': {
    does: 'admin/review-payment',
    auth: { role: 'owner', of: 'payment', whileActive: true },
    needs: ['account:read', 'checkout:read', 'checkout:write', 'data:open'],
  },
  'GET /admin/v1/accounts/{id}/payments': {
    does: 'admin/list-payments',
    auth: { role: 'viewer', of: 'account' },
    needs: ['account:read', 'checkout:read', 'data:open'],
  },
  'PUT /admin/v1/checkout-sessions/{id}/chaos': {
    does: 'admin/set-chaos',
    auth: { role: 'developer', of: 'session' },
    needs: ['checkout:write'],
  },
  'POST /admin/v1/accounts/{id}/checkout-webhooks': {
    does: 'admin/create-checkout-webhook',
    auth: { role: 'developer', of: 'account' },
    needs: ['account:read', 'webhooks:read', 'webhooks:write', 'data:open', 'webhooks:know-targets'],
  },
  'GET /admin/v1/accounts/{id}/checkout-webhooks': {
    does: 'admin/list-checkout-webhooks',
    auth: { role: 'viewer', of: 'account' },
    needs: ['account:read', 'webhooks:read', 'data:open'],
  },
  'DELETE /admin/v1/accounts/{id}/checkout-webhooks/{webhookId}': {
    does: 'admin/delete-checkout-webhook',
    auth: { role: 'developer', of: 'account' },
    needs: ['account:read', 'webhooks:read', 'webhooks:write', 'data:open', 'queue:chores'],
  },
  'GET /admin/v1/accounts/{id}/checkout-webhooks/{webhookId}/deliveries': {
    does: 'webhooks/list-deliveries',
    auth: { role: 'viewer', of: 'account' },
    needs: ['account:read', 'webhooks:read', 'data:open', 'retries:know'],
  },
  'POST /admin/v1/accounts/{id}/checkout-webhooks/{webhookId}/deliveries/{deliveryId}/resend': {
    does: 'webhooks/resend-delivery',
    auth: { role: 'developer', of: 'account' },
    needs: ['account:read', 'webhooks:read', 'webhooks:write', 'data:open', 'queue:webhook-deliveries'],
  },
  'POST /admin/v1/accounts/{id}/checkout-webhooks/{webhookId}/deliveries/resend-failed': {
    does: 'webhooks/resend-failed',
    auth: { role: 'developer', of: 'account' },
    needs: ['account:read', 'webhooks:read', 'webhooks:write', 'data:open', 'queue:webhook-deliveries'],
  },
  'DELETE /admin/v1/api-keys/{keyId}': {
    does: 'admin/revoke-api-key',
    auth: { role: 'developer', of: 'apiKey' },
    needs: ['keys:read', 'keys:write'],
  },
  'POST /admin/v1/accounts/{id}/checkout-keys': {
    does: 'admin/create-checkout-key',
    auth: { role: 'developer', of: 'account' },
    needs: ['account:read', 'keys:write', 'data:open'],
  },
  'GET /admin/v1/accounts/{id}/checkout-keys': {
    does: 'admin/list-checkout-keys',
    auth: { role: 'viewer', of: 'account' },
    needs: ['account:read', 'key-lists:read', 'data:open'],
  },
  'DELETE /admin/v1/checkout-keys/{keyId}': {
    does: 'admin/revoke-checkout-key',
    auth: { role: 'developer', of: 'checkoutKey' },
    needs: ['keys:read', 'keys:write'],
  },
  'GET /admin/v1/accounts/{id}/checkout-methods': {
    does: 'admin/list-checkout-methods',
    auth: { role: 'viewer', of: 'account' },
    needs: ['account:read', 'data:open'],
  },
  'PUT /admin/v1/accounts/{id}/checkout-methods': {
    does: 'admin/set-checkout-methods',
    auth: { role: 'owner', of: 'account', whileActive: true },
    needs: ['account:read', 'methods:set', 'data:open'],
  },
  'PATCH /admin/v1/contacts/{id}': {
    does: 'contacts/set-contact-status',
    auth: { role: 'developer', of: 'contact' },
    needs: ['account:read', 'contacts:read', 'contacts:write', 'data:open'],
  },
  'GET /admin/v1/contacts/{id}/consents': {
    does: 'contacts/list-consents',
    auth: { role: 'viewer', of: 'contact' },
    needs: ['account:read', 'contacts:read', 'data:open'],
  },
  'PUT /admin/v1/contacts/{id}/consents/{channel}': {
    does: 'contacts/set-consent',
    auth: { role: 'developer', of: 'contact' },
    needs: ['account:read', 'contacts:read', 'contacts:write', 'data:open'],
  },
  'POST /admin/v1/accounts/{id}/whatsapp/inbound': {
    does: 'admin/record-inbound',
    auth: { role: 'developer', of: 'account' },
    needs: ['account:read', 'messages:read', 'contacts:read', 'messages:write', 'contacts:write', 'data:open'],
  },
} as const satisfies Record<`${Method} /${string}`, Route>;

/** Gateway callbacks, and the beginnings of exports. */
const isWritingGet = (key: string): boolean => /^GET (\/callbacks\/|.*\/export$)/.test(key);

/** The API's routes for a row: GET includes HEAD, except where it writes. */
export const keysOf = (key: string): readonly string[] =>
  key.startsWith('GET ') && !isWritingGet(key) ? [key, key.replace('GET', 'HEAD')] : [key];

/** Its errors have the older shape. */
export const isWebhookManagement = (path: string): boolean => path.startsWith('/api/v1/webhooks');

/** What the browsers of payers may call from any origin. */
export const isPublicCheckout = (path: string): boolean => path.startsWith('/v1/public/');

/** Answers requests that match no route. */
export const unknownRoute = { does: 'public/refuse-unknown-route', auth: 'public', needs: [] } as const satisfies Route;

/** CloudFormation allows 500 resources in one stack, so the rows are built in several. */
export const parts = ['messaging', 'checkout', 'operators', 'people'] as const;
export type Part = (typeof parts)[number];

/** The stack that a row is built in. Rows that share a folder share a stack. */
export const partOf = ({ does, auth }: Route): Part => {
  if (does.startsWith('people/') || does.startsWith('dashboard/')) return 'people';
  if (kindOf(auth) === 'role') return 'operators';
  return does.startsWith('checkout/') || does.startsWith('merchants/') ? 'checkout' : 'messaging';
};
