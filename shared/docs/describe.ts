import { additionsPage } from './additions-page.ts';
import { adminPage } from './admin-page.ts';
import { type ApiName, apis, fullMessaging } from './apis.ts';
import { checkoutPage } from './checkout-page.ts';
import { checkoutDeliveries, messagingDeliveries } from './deliveries.ts';
import { endpointsOf } from './endpoints.ts';
import { errorsPage } from './errors-page.ts';
import { type DescribedRoute, openApiOf } from './openapi.ts';
import { referencePage } from './reference-page.ts';
import { runbookPage } from './runbook-page.ts';
import { startPage } from './start-page.ts';
import { webhooksPage } from './webhooks-page.ts';

/** The documentation of the APIs, ready to be served. */
interface Description {
  /** OpenAPI of messaging as the specification has it, as JSON. */
  readonly openapi: string;
  /** The same with the additions, the management of webhooks and the deliveries. */
  readonly openapiFull: string;
  /** OpenAPI of the checkout, its public calls and its deliveries. */
  readonly openapiCheckout: string;
  readonly openapiAdmin: string;
  /** HTML pages. */
  readonly reference: string;
  readonly additions: string;
  readonly checkout: string;
  readonly admin: string;
  readonly errors: string;
  readonly webhooks: string;
  readonly runbook: string;
  readonly start: string;
}

export const describeApis = (routes: readonly DescribedRoute[]): Description => {
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
  const openapiFull = openApiOf(fullMessaging, rowsOf('messaging', 'additions', 'webhooks'), messagingDeliveries);
  const openapiCheckout = openApiOf(apis.checkout, rowsOf('checkout', 'payers'), checkoutDeliveries);
  return {
    openapi: JSON.stringify(messaging),
    openapiFull: JSON.stringify(openapiFull),
    openapiCheckout: JSON.stringify(openapiCheckout),
    openapiAdmin: JSON.stringify(operators),
    reference: referencePage(messaging),
    additions: additionsPage(additions),
    checkout: checkoutPage(checkout, payers),
    admin: adminPage(operators),
    errors: errorsPage(
      apiNames.flatMap((name) =>
        endpointsOf(documents[name]).map((endpoint) => ({ ...endpoint, page: apis[name].page })),
      ),
    ),
    webhooks: webhooksPage(webhooks),
    runbook: runbookPage(),
    start: startPage(),
  };
};
