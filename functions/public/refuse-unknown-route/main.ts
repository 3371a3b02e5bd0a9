import { docsRedirect } from '../../../shared/http/docs-redirect.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { keylessSurface } from '../../../shared/http/keyless-surface.ts';
import { refuseUnknownRouteContract } from './contract.ts';
import { refuseUnknownRoute } from './handler.ts';

export const handler = endpoint(refuseUnknownRouteContract, refuseUnknownRoute, keylessSurface).before(docsRedirect);
