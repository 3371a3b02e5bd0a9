import { callersOf } from 'virtual:callers';
import { redirectingDocs } from '../../../shared/http/docs-redirect.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { refuseUnknownRouteContract } from './contract.ts';
import { refuseUnknownRoute } from './handler.ts';

export const handler = redirectingDocs(
  endpoint(refuseUnknownRouteContract, refuseUnknownRoute, callersOf('public/refuse-unknown-route')),
);
