import type * as components from './all-screens.ts';

/**
 * Every screen of the dashboard. To add one: write a file in `screens` that exports its component, made of the parts in `parts`
 * (`Screen` around it; `List`, `Form`, `Dialog`, `Chart`, `useLoad` in it), export it from `all-screens.ts` too, and add a row here. The row gives it its
 * address and its place in the navigation. Calls go through `apis.ts`; `useAccount` says whose screen it is, and `mayBuild` and
 * `mayOwn` what its person may change there.
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
  readonly component: keyof typeof components;
}

/** The navigation's headings, in their order. The first has none. */
export const areas = ['', 'Messaging', 'Checkout', 'Developers', 'Account', 'Platform', 'You'] as const;

export const screens: readonly ScreenRow[] = [
  { path: '', of: 'account', label: 'Home', area: '', component: 'Home' },
  { path: '/messages', of: 'account', label: 'Messages', area: 'Messaging', component: 'Messages' },
  { path: '/messages/{id}', of: 'account', component: 'OneMessage' },
  { path: '/contacts', of: 'account', label: 'Contacts', area: 'Messaging', component: 'Contacts' },
  { path: '/contacts/import', of: 'account', isForBuilders: true, component: 'ImportContacts' },
  { path: '/contacts/{id}', of: 'account', component: 'OneContact' },
  { path: '/templates', of: 'account', label: 'Templates', area: 'Messaging', component: 'Templates' },
  { path: '/templates/new', of: 'account', isForBuilders: true, component: 'NewTemplate' },
  { path: '/templates/{id}', of: 'account', component: 'OneTemplate' },
  { path: '/webhooks', of: 'account', label: 'Webhooks', area: 'Messaging', component: 'Webhooks' },
  { path: '/webhooks/{id}', of: 'account', component: 'OneWebhook' },
  { path: '/suppressions', of: 'account', label: 'Suppressions', area: 'Messaging', component: 'Suppressions' },
  { path: '/checkout', of: 'account', label: 'Overview', area: 'Checkout', component: 'CheckoutOverview' },
  { path: '/checkout-sessions', of: 'account', label: 'Sessions', area: 'Checkout', component: 'CheckoutSessions' },
  { path: '/checkout-sessions/{id}', of: 'account', component: 'OneCheckoutSession' },
  { path: '/payments', of: 'account', label: 'Payments', area: 'Checkout', component: 'Payments' },
  { path: '/payments/{id}', of: 'account', component: 'OnePayment' },
  { path: '/reviews', of: 'account', label: 'Reviews', area: 'Checkout', component: 'Reviews' },
  { path: '/refunds', of: 'account', label: 'Refunds', area: 'Checkout', component: 'Refunds' },
  { path: '/methods', of: 'account', label: 'Payment methods', area: 'Checkout', component: 'Methods' },
  { path: '/checkout-webhooks', of: 'account', label: 'Webhooks', area: 'Checkout', component: 'CheckoutWebhooks' },
  { path: '/checkout-webhooks/{id}', of: 'account', component: 'OneCheckoutWebhook' },
  { path: '/api-keys', of: 'account', label: 'API keys', area: 'Developers', component: 'ApiKeys' },
  { path: '/checkout-keys', of: 'account', label: 'Checkout keys', area: 'Developers', component: 'CheckoutKeys' },
  { path: '/requests', of: 'account', label: 'Requests', area: 'Developers', component: 'Requests' },
  { path: '/credits', of: 'account', label: 'Credits', area: 'Account', component: 'Credits' },
  { path: '/settings', of: 'account', label: 'Settings', area: 'Account', component: 'Settings' },
  { path: '/members', of: 'account', label: 'Members', area: 'Account', component: 'Members' },
  { path: '/audit-log', of: 'account', label: 'Audit log', area: 'Account', component: 'AuditLog' },
  { path: '/accounts', of: 'platform', label: 'Accounts', area: 'Platform', component: 'Accounts' },
  { path: '/operators', of: 'platform', label: 'Operators', area: 'Platform', component: 'Operators' },
  { path: '/operator-tokens', of: 'platform', label: 'Tokens', area: 'Platform', component: 'OperatorTokens' },
  { path: '/audit-log', of: 'platform', label: 'Audit log', area: 'Platform', component: 'PlatformAuditLog' },
  { path: '/sessions', of: 'person', label: 'Your sessions', area: 'You', component: 'Sessions' },
];
