import { errorsPage } from './errors-page.ts';
import { type DescribedRoute, openApiOf } from './openapi.ts';
import { referencePage } from './reference-page.ts';
import { webhooksPage } from './webhooks-page.ts';

/** All that is told about the API, ready to be served. */
interface Description {
  /** OpenAPI, as JSON. */
  readonly openapi: string;
  /** HTML pages. */
  readonly reference: string;
  readonly errors: string;
  readonly webhooks: string;
}

export const describeApi = (routes: readonly DescribedRoute[]): Description => {
  const document = openApiOf(routes);
  return {
    openapi: JSON.stringify(document),
    reference: referencePage(document),
    errors: errorsPage(document),
    webhooks: webhooksPage(),
  };
};
