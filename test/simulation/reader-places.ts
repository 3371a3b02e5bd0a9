/** Who may read there: the server of an account with its key of one of the APIs, or an operator. */
type Caller = 'messaging' | 'checkout' | 'operator';

interface Place {
  readonly does: string;
  readonly routeKey: string;
  readonly by: Caller;
}

/** Everything that readers read, by what is read. */
export const places = {
  message: { does: 'messages/get-message', routeKey: 'GET /api/v1/messages/{id}', by: 'messaging' },
  messages: { does: 'messages/list-messages', routeKey: 'GET /api/v1/messages', by: 'messaging' },
  timeline: { does: 'messages/get-timeline', routeKey: 'GET /api/v1/messages/{id}/events', by: 'messaging' },
  analytics: { does: 'analytics/get-message-analytics', routeKey: 'GET /api/v1/analytics/messages', by: 'messaging' },
  events: { does: 'webhooks/list-events', routeKey: 'GET /api/v1/events', by: 'messaging' },
  logs: { does: 'webhooks/list-logs', routeKey: 'GET /api/v1/webhooks/{id}/logs', by: 'messaging' },
  deliveries: {
    does: 'webhooks/list-deliveries',
    routeKey: 'GET /admin/v1/accounts/{id}/webhooks/{webhookId}/deliveries',
    by: 'operator',
  },
  contact: { does: 'contacts/get-contact', routeKey: 'GET /api/v1/contacts/{id}', by: 'messaging' },
  contacts: { does: 'contacts/list-contacts', routeKey: 'GET /api/v1/contacts', by: 'messaging' },
  consents: { does: 'contacts/list-consents', routeKey: 'GET /admin/v1/contacts/{id}/consents', by: 'operator' },
  suppressions: { does: 'suppressions/list-suppressions', routeKey: 'GET /api/v1/suppressions', by: 'messaging' },
  template: { does: 'templates/get-template', routeKey: 'GET /api/v1/templates/{id}', by: 'messaging' },
  templates: { does: 'templates/list-templates', routeKey: 'GET /api/v1/templates', by: 'messaging' },
  versions: { does: 'templates/list-versions', routeKey: 'GET /api/v1/templates/{id}/versions', by: 'messaging' },
  session: { does: 'merchants/retrieve-session', routeKey: 'GET /v1/checkout-sessions/{id}', by: 'checkout' },
  sessions: { does: 'merchants/list-sessions', routeKey: 'GET /v1/checkout-sessions', by: 'checkout' },
  payment: { does: 'merchants/get-payment', routeKey: 'GET /v1/payments/{id}', by: 'checkout' },
  payments: { does: 'merchants/list-payments', routeKey: 'GET /v1/payments', by: 'checkout' },
  refund: { does: 'merchants/get-refund', routeKey: 'GET /v1/refunds/{id}', by: 'checkout' },
  refunds: { does: 'merchants/list-refunds', routeKey: 'GET /v1/refunds', by: 'checkout' },
  paymentsOfAccount: {
    does: 'admin/list-payments',
    routeKey: 'GET /admin/v1/accounts/{id}/payments',
    by: 'operator',
  },
  refundsOfPayment: {
    does: 'admin/list-refunds',
    routeKey: 'GET /admin/v1/payments/{paymentId}/refunds',
    by: 'operator',
  },
} as const satisfies Record<string, Place>;

export type PlaceName = keyof typeof places;

/** The functions that only read. */
export const readingFolders: readonly string[] = [...new Set(Object.values(places).map(({ does }) => does))];
