import { additionsPage } from './additions-page.ts';
import { adminPage } from './admin-page.ts';
import { type ApiName, apis, fullMessaging } from './apis.ts';
import { brokenLinks } from './broken-links.ts';
import { checkoutPage } from './checkout-page.ts';
import { checkoutDeliveries, messagingDeliveries } from './deliveries.ts';
import { endpointsOf } from './endpoints.ts';
import { errorsPage } from './errors-page.ts';
import { eventsPage } from './events-page.ts';
import { type DescribedRoute, openApiOf } from './openapi.ts';
import { referencePage } from './reference-page.ts';
import { runbookPage } from './runbook-page.ts';
import { type Compress, filesOf, pagesOf, type SiteSources } from './site.ts';
import { webhooksPage } from './webhooks-page.ts';

/** The documentation of the APIs, ready to be served: OpenAPI documents as JSON, and the site. */
export const describeApis = (routes: readonly DescribedRoute[], sources: SiteSources, compress: Compress) => {
  const rowsOf = (...names: readonly ApiName[]) => routes.filter(({ api }) => names.includes(api));
  const describe = (name: ApiName) => openApiOf(apis[name], rowsOf(name));
  const documents = {
    messaging: describe('messaging'),
    additions: describe('additions'),
    webhooks: describe('webhooks'),
    checkout: describe('checkout'),
    payers: describe('payers'),
    operators: describe('operators'),
  };
  const apiNames = ['messaging', 'additions', 'webhooks', 'checkout', 'payers', 'operators'] as const;
  const { messaging, additions, webhooks, checkout, payers, operators } = documents;
  const placed = apiNames.flatMap((name) =>
    endpointsOf(documents[name]).map((endpoint) => ({ ...endpoint, page: apis[name].page })),
  );
  const openapi = JSON.stringify(messaging);
  const openapiFull = JSON.stringify(
    openApiOf(fullMessaging, rowsOf('messaging', 'additions', 'webhooks'), messagingDeliveries),
  );
  const openapiCheckout = JSON.stringify(openApiOf(apis.checkout, rowsOf('checkout', 'payers'), checkoutDeliveries));
  const pages = pagesOf(
    [
      referencePage(messaging),
      additionsPage(additions),
      webhooksPage(webhooks),
      checkoutPage(checkout, payers),
      adminPage(operators),
      errorsPage(placed),
      eventsPage(),
      runbookPage(),
    ],
    sources,
  );
  const openDocuments = {
    '/api/v1/openapi.json': openapi,
    '/api/v1/openapi-full.json': openapiFull,
    '/v1/openapi.json': openapiCheckout,
  };
  const files = filesOf(pages, sources, openDocuments, compress);
  return {
    /** Messaging as the specification has it. */
    openapi,
    /** Messaging with the additions, the management of webhooks and the deliveries. */
    openapiFull,
    /** The checkout, its public calls and its deliveries. */
    openapiCheckout,
    openapiAdmin: JSON.stringify(operators),
    pages,
    endpoints: placed,
    files,
    brokenLinks: brokenLinks(pages, new Set([...Object.keys(files), '/favicon.ico', '/dashboard'])),
  };
};
