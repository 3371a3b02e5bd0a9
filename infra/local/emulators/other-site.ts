import type { IncomingMessage } from 'node:http';

/**
 * A change that a page of another site made a browser send: browsers let every page send to `localhost`. Scripts and AWS's clients name
 * no site.
 */
export const isFromOtherSite = ({ method = '', headers }: IncomingMessage): boolean =>
  !['GET', 'HEAD'].includes(method) && headers['sec-fetch-site'] === 'cross-site';
