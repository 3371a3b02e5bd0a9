import { callersOf } from 'virtual:callers';
import { checkoutRedirect } from '../../../shared/http/checkout-redirect.ts';
import { docsRedirect } from '../../../shared/http/docs-redirect.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { redirecting } from '../../../shared/http/redirecting.ts';
import { refuseUnknownRouteContract } from './contract.ts';
import { refuseUnknownRoute } from './handler.ts';

export const handler = redirecting(
  [docsRedirect, checkoutRedirect],
  endpoint(refuseUnknownRouteContract, refuseUnknownRoute, callersOf('public/refuse-unknown-route')),
);
