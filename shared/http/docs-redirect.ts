import type { Redirect } from './redirecting.ts';

/** An address of the documentation with a slash at its end: the page without it. */
export const docsRedirect: Redirect = {
  from: /^(\/docs(?:\/[a-z-]+)*)\/+$/,
  statusCode: 308,
  headers: { 'Cache-Control': 'public, max-age=300' },
};
