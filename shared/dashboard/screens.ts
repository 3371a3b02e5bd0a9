import type { ComponentType } from 'preact';
import type { ScreenProps } from './parts/screen.tsx';

/**
 * Every screen of the dashboard. To add one: write a file in `screens` that exports its component, made of the parts in `parts`
 * (`Screen` around it; `List`, `Form`, `Dialog`, `Chart`, `useLoad` in it), and add a row here. The row gives it its address, its place in the navigation and its
 * own part of the bundle, so that the first view stays small. Calls go through `apis.ts`; `useAccount` says whose screen it is, and
 * `mayBuild` and `mayOwn` what its person may change there.
 */
export interface ScreenRow {
  /** Below `/dashboard/{account}`, or below `/dashboard` where it belongs to no account. */
  readonly path: string;
  readonly of: 'account' | 'person' | 'platform';
  /** Its name in the navigation, under its area; without one, another screen links to it. */
  readonly label?: string;
  readonly area?: (typeof areas)[number];
  /** Its form is for people who may change it. */
  readonly isForBuilders?: true;
  readonly load: () => Promise<ComponentType<ScreenProps>>;
}

/** The navigation's headings, in their order. The first has none. */
export const areas = ['', 'Messaging', 'Checkout', 'Developers', 'Account', 'Platform', 'You'] as const;

export const screens: readonly ScreenRow[] = [
  { path: '', of: 'account', label: 'Home', area: '', load: async () => (await import('./screens/home.tsx')).Home },
  {
    path: '/messages',
    of: 'account',
    label: 'Messages',
    area: 'Messaging',
    load: async () => (await import('./screens/messages.tsx')).Messages,
  },
  { path: '/messages/{id}', of: 'account', load: async () => (await import('./screens/message.tsx')).OneMessage },
  {
    path: '/contacts',
    of: 'account',
    label: 'Contacts',
    area: 'Messaging',
    load: async () => (await import('./screens/contacts.tsx')).Contacts,
  },
  {
    path: '/contacts/import',
    of: 'account',
    isForBuilders: true,
    load: async () => (await import('./screens/import-contacts.tsx')).ImportContacts,
  },
  { path: '/contacts/{id}', of: 'account', load: async () => (await import('./screens/contact.tsx')).OneContact },
  {
    path: '/templates',
    of: 'account',
    label: 'Templates',
    area: 'Messaging',
    load: async () => (await import('./screens/templates.tsx')).Templates,
  },
  {
    path: '/templates/new',
    of: 'account',
    isForBuilders: true,
    load: async () => (await import('./screens/template.tsx')).NewTemplate,
  },
  { path: '/templates/{id}', of: 'account', load: async () => (await import('./screens/template.tsx')).OneTemplate },
  {
    path: '/webhooks',
    of: 'account',
    label: 'Webhooks',
    area: 'Messaging',
    load: async () => (await import('./screens/webhooks.tsx')).Webhooks,
  },
  { path: '/webhooks/{id}', of: 'account', load: async () => (await import('./screens/webhook.tsx')).OneWebhook },
  {
    path: '/suppressions',
    of: 'account',
    label: 'Suppressions',
    area: 'Messaging',
    load: async () => (await import('./screens/suppressions.tsx')).Suppressions,
  },
  {
    path: '/checkout',
    of: 'account',
    label: 'Overview',
    area: 'Checkout',
    load: async () => (await import('./screens/checkout.tsx')).CheckoutOverview,
  },
  {
    path: '/checkout-sessions',
    of: 'account',
    label: 'Sessions',
    area: 'Checkout',
    load: async () => (await import('./screens/checkout-sessions.tsx')).CheckoutSessions,
  },
  {
    path: '/checkout-sessions/{id}',
    of: 'account',
    load: async () => (await import('./screens/checkout-session.tsx')).OneCheckoutSession,
  },
  {
    path: '/payments',
    of: 'account',
    label: 'Payments',
    area: 'Checkout',
    load: async () => (await import('./screens/payments.tsx')).Payments,
  },
  {
    path: '/payments/{id}',
    of: 'account',
    load: async () => (await import('./screens/payment.tsx')).OnePayment,
  },
  {
    path: '/reviews',
    of: 'account',
    label: 'Reviews',
    area: 'Checkout',
    load: async () => (await import('./screens/reviews.tsx')).Reviews,
  },
  {
    path: '/refunds',
    of: 'account',
    label: 'Refunds',
    area: 'Checkout',
    load: async () => (await import('./screens/refunds.tsx')).Refunds,
  },
  {
    path: '/methods',
    of: 'account',
    label: 'Payment methods',
    area: 'Checkout',
    load: async () => (await import('./screens/methods.tsx')).Methods,
  },
  {
    path: '/checkout-webhooks',
    of: 'account',
    label: 'Webhooks',
    area: 'Checkout',
    load: async () => (await import('./screens/webhooks.tsx')).CheckoutWebhooks,
  },
  {
    path: '/checkout-webhooks/{id}',
    of: 'account',
    load: async () => (await import('./screens/webhook.tsx')).OneCheckoutWebhook,
  },
  {
    path: '/api-keys',
    of: 'account',
    label: 'API keys',
    area: 'Developers',
    load: async () => (await import('./screens/api-keys.tsx')).ApiKeys,
  },
  {
    path: '/checkout-keys',
    of: 'account',
    label: 'Checkout keys',
    area: 'Developers',
    load: async () => (await import('./screens/checkout-keys.tsx')).CheckoutKeys,
  },
  {
    path: '/requests',
    of: 'account',
    label: 'Requests',
    area: 'Developers',
    load: async () => (await import('./screens/requests.tsx')).Requests,
  },
  {
    path: '/credits',
    of: 'account',
    label: 'Credits',
    area: 'Account',
    load: async () => (await import('./screens/credits.tsx')).Credits,
  },
  {
    path: '/settings',
    of: 'account',
    label: 'Settings',
    area: 'Account',
    load: async () => (await import('./screens/settings.tsx')).Settings,
  },
  {
    path: '/members',
    of: 'account',
    label: 'Members',
    area: 'Account',
    load: async () => (await import('./screens/members.tsx')).Members,
  },
  {
    path: '/audit-log',
    of: 'account',
    label: 'Audit log',
    area: 'Account',
    load: async () => (await import('./screens/audit-log.tsx')).AuditLog,
  },
  {
    path: '/accounts',
    of: 'platform',
    label: 'Accounts',
    area: 'Platform',
    load: async () => (await import('./screens/accounts.tsx')).Accounts,
  },
  {
    path: '/operators',
    of: 'platform',
    label: 'Operators',
    area: 'Platform',
    load: async () => (await import('./screens/operators.tsx')).Operators,
  },
  {
    path: '/operator-tokens',
    of: 'platform',
    label: 'Tokens',
    area: 'Platform',
    load: async () => (await import('./screens/operator-tokens.tsx')).OperatorTokens,
  },
  {
    path: '/audit-log',
    of: 'platform',
    label: 'Audit log',
    area: 'Platform',
    load: async () => (await import('./screens/audit-log.tsx')).PlatformAuditLog,
  },
  {
    path: '/sessions',
    of: 'person',
    label: 'Your sessions',
    area: 'You',
    load: async () => (await import('./screens/sessions.tsx')).Sessions,
  },
];
