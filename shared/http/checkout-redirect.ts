import { checkoutPageHeaders } from './checkout-page.ts';
import type { Redirect } from './redirecting.ts';

/** A page address that is no page, such as that of a form's answer in a restored tab: the session's page, which shows its status. */
export const checkoutRedirect: Redirect = {
  from: /^(\/checkout\/[\w-]+)\//,
  statusCode: 303,
  headers: checkoutPageHeaders,
};
