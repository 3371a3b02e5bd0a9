/** The navigation of the documentation: its groups, and the pages of each in their order. Every page is in it once. */
export const siteMap = {
  'Get started': {
    '/': 'Overview',
    '/docs/quick-start': 'Quick start',
    '/docs/testing': 'Testing',
    '/docs/local-stack': 'The local stack',
    '/docs/switching': 'From another service',
    '/docs/dashboard': 'Dashboard and roles',
    '/docs/going-live': 'Going live on AWS',
  },
  'Both APIs': {
    '/docs/idempotency': 'Idempotency',
    '/docs/retries': 'Errors and retries',
    '/docs/pagination': 'Pagination',
    '/docs/limits': 'Limits',
  },
  Messaging: {
    '/docs/statuses': 'Message statuses',
    '/docs/consent': 'Consent and quiet hours',
    '/docs/credits': 'Sms segments and credits',
    '/docs/templates': 'Templates',
    '/docs/attachments': 'Attachments',
  },
  Checkout: {
    '/docs/payments': 'Accept a payment',
    '/docs/refunds': 'Refunds and receipts',
    '/docs/branding': 'Branding',
    '/docs/gateways': 'SSLCommerz and bKash',
  },
  Webhooks: {
    '/docs/receiving': 'Receive and verify',
    '/docs/replay': 'Replay and sequence',
    '/docs/events': 'All events',
  },
  Operations: {
    '/docs/deploying': 'Deployments in detail',
    '/docs/logs': 'Logs and metrics',
    '/docs/costs': 'What AWS charges',
    '/docs/figures': 'Figures',
    '/docs/growth': 'Large accounts',
    '/docs/simulation': 'Simulation',
    '/docs/operators': 'Operators and tokens',
    '/docs/sending': 'Pause all sending',
    '/docs/parked': 'Parked work',
    '/docs/spread': 'Spread a busy account',
    '/docs/person': 'A person’s data',
    '/docs/restore': 'Restore the table',
    '/docs/rotate-keys': 'Rotate data keys',
    '/docs/invoke': 'Call one function',
    '/docs/runbook': 'Runbook',
  },
  Reference: {
    '/docs': 'Messaging API',
    '/docs/additions': 'More of messaging',
    '/docs/webhooks': 'Webhooks API',
    '/docs/checkout': 'Hosted checkout API',
    '/docs/admin': 'Admin API',
    '/docs/errors': 'Error codes',
    '/docs/changelog': 'Changelog',
  },
} as const;

type Groups = typeof siteMap;
export type DocsPath = { [Group in keyof Groups]: keyof Groups[Group] }[keyof Groups];

/** All pages in the order of the navigation. */
export const siteOrder: readonly { readonly path: DocsPath; readonly name: string }[] = Object.values(siteMap).flatMap(
  (pages) => Object.entries(pages).map(([path, name]) => ({ path: path as DocsPath, name })),
);

/** Where the Markdown of a page is. */
export const markdownPath = (path: DocsPath): string =>
  path === '/' ? '/docs/overview.md' : path === '/docs' ? '/docs/messaging.md' : `${path}.md`;
