import type { Redirect } from './redirecting.ts';

/** Other addresses of a page: with a slash at its end, or that of its Markdown without `.md`, where that differs (`markdownPath`). */
export const docsRedirect: Redirect = {
  from: /^(\/docs(?=\/messaging\/*$)|\/(?=docs\/overview\/*$)|\/docs(?:\/[a-z-]+)*(?=\/+$))/,
  statusCode: 308,
  headers: { 'Cache-Control': 'public, max-age=300' },
};
