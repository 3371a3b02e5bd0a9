import type { IncomingMessage } from 'node:http';

/** This machine's names and addresses, and names that no public name server has: no page can make a browser take its own name for one of them. */
const ownHost = /^([^.:]+|[^:]+\.(localhost|local|internal)|[\d.]+|\[[\da-f:.]+\])(:\d+)?$/i;

/**
 * What a page of another site made a browser send: a change, which browsers let every page send to `localhost`, or anything under a name of
 * its own that leads here now (DNS rebinding). Scripts and AWS's clients name no site.
 */
export const isFromOtherSite = ({ method = '', headers }: IncomingMessage): boolean =>
  !ownHost.test(headers.host ?? 'localhost') ||
  (!['GET', 'HEAD'].includes(method) && headers['sec-fetch-site'] === 'cross-site');
