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
  readonly load: () => Promise<ComponentType<ScreenProps>>;
}

/** The navigation's headings, in their order. The first has none. */
export const areas = ['', 'Messaging', 'Checkout', 'Developers', 'Account', 'Platform'] as const;

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
  { path: '/templates/new', of: 'account', load: async () => (await import('./screens/template.tsx')).NewTemplate },
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
    path: '/api-keys',
    of: 'account',
    label: 'API keys',
    area: 'Developers',
    load: async () => (await import('./screens/api-keys.tsx')).ApiKeys,
  },
  {
    path: '/accounts',
    of: 'platform',
    label: 'Accounts',
    area: 'Platform',
    load: async () => (await import('./screens/accounts.tsx')).Accounts,
  },
];
