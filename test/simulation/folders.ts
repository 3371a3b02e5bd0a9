import { workers } from '../../infra/workers.ts';
import { actions } from './desk.ts';
import { readingFolders } from './reader-places.ts';

/** The functions that somebody asks in a world, by the folders of their rooms. */
const asked = {
  account: ['get-account'],
  admin: [
    ...['adjust-credits', 'create-account', 'create-api-key', 'create-checkout-key', 'create-checkout-webhook'],
    ...['create-refund', 'delete-checkout-webhook', 'get-account', 'get-credits', 'list-api-keys'],
    ...['list-callback-urls', 'list-checkout-keys', 'list-checkout-methods', 'list-checkout-webhooks'],
    ...['list-credit-changes', 'list-payments', 'list-webhooks', 'raise-spread', 'record-inbound', 'review-payment'],
    ...[
      'review-refund',
      'revoke-api-key',
      'revoke-checkout-key',
      'rotate-callback-urls',
      'set-chaos',
      'set-checkout-methods',
      'set-credits',
    ],
    ...['sync-templates', 'update-account'],
  ],
  attachments: ['create-attachment'],
  callbacks: [
    ...['confirm-whatsapp-webhook', 'receive-inbound-sms', 'receive-payment-notification', 'receive-sms-report'],
    'receive-whatsapp-news',
  ],
  checkout: [
    ...['begin-payment', 'begin-payment-by-form', 'cancel-payment', 'create-session', 'get-session'],
    ...['get-session-status', 'return-from-gateway', 'show-checkout', 'show-payment', 'show-result'],
  ],
  contacts: [
    ...['create-contact', 'create-contacts', 'get-contact-export', 'get-import', 'list-contacts', 'retire-contact'],
    ...['set-consent', 'set-contact-status', 'start-contact-export', 'start-import', 'update-contact'],
  ],
  merchants: [
    ...['expire-session', 'get-payment', 'get-refund', 'list-payments', 'list-refunds', 'list-sessions'],
    ...['refund-payment', 'retrieve-session'],
  ],
  messages: [
    ...['cancel-message', 'get-message-export', 'preview-message', 'reschedule-message', 'send-message'],
    ...['send-messages', 'start-message-export'],
  ],
  people: ['ask-to-sign-in', 'sign-in'],
  suppressions: ['create-suppression', 'delete-suppression'],
  templates: ['archive-template', 'create-template', 'preview-template', 'update-template'],
  unsubscribe: ['ask-to-unsubscribe', 'unsubscribe-recipient'],
  webhooks: [
    ...['create-webhook', 'delete-webhook', 'get-webhook', 'list-logs', 'list-webhooks', 'regenerate-secret'],
    ...['replay-events', 'resend-delivery', 'resend-failed', 'rotate-secret', 'test-webhook', 'update-webhook'],
  ],
} as const;

/** Every function that is simulated, with all workers. */
export const folders: readonly string[] = [
  ...new Set([
    ...Object.entries(asked).flatMap(([room, names]) => names.map((name) => `${room}/${name}`)),
    ...Object.values(actions).map(({ does }) => does),
    ...readingFolders,
    ...workers.map(({ does }) => does),
  ]),
];
