import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { checkoutPageHeaders } from './checkout-page.ts';
import { checkoutRedirect } from './checkout-redirect.ts';
import { docsRedirect } from './docs-redirect.ts';
import { type Redirect, redirected } from './redirecting.ts';

const asker =
  (redirect: Redirect) =>
  (method: string, rawPath: string, rawQueryString = '') =>
    redirected(redirect, {
      ...{ rawPath, rawQueryString, requestContext: { requestId: 'r', http: { method } } },
    } as APIGatewayProxyEventV2);

describe('the documentation', () => {
  const ask = asker(docsRedirect);

  it.each([
    ['GET', '/docs/', '', '/docs'],
    ['HEAD', '/docs/errors/', '', '/docs/errors'],
    ['GET', '/docs//', 'a=1&b=%2F', '/docs?a=1&b=%2F'],
    ['GET', '/docs/messaging', '', '/docs'],
    ['GET', '/docs/messaging/', '', '/docs'],
    ['GET', '/docs/overview', 'a=1', '/?a=1'],
  ])('308 redirects %s %s?%s to the page', (method, path, query, location) => {
    expect(ask(method, path, query)).toEqual({
      statusCode: 308,
      headers: { Location: location, 'Cache-Control': 'public, max-age=300', 'X-Request-Id': 'r' },
    });
  });

  it.each([
    ['POST', '/docs/'],
    ['GET', '/docs'],
    ['GET', '/docs/messaging.md'],
    ['GET', '/docs/overview/more'],
    ['GET', '//example.com/docs/'],
    ['GET', '/docs//example.com/'],
    ['GET', '/docs/../'],
    ['GET', '/messages/'],
  ])('leaves %s %s to the fallback', (method, path) => {
    expect(ask(method, path)).toBeUndefined();
  });
});

describe('the pages of the checkout', () => {
  const ask = asker(checkoutRedirect);
  const page = '/checkout/019a9c1e-5b7a-7c31-9f04-2d6f0c1e8a55';

  it.each([
    ['GET', `${page}/pay`, '', page],
    ['HEAD', `${page}/pay`, '', page],
    ['GET', `${page}/payments/019a9c1e-5b7a-7c31-9f04-2d6f0c1e8a66/cancel`, '', page],
    ['GET', `${page}/`, 'lang=bn&a=%2F', `${page}?lang=bn&a=%2F`],
    ['GET', `${page}//example.com/`, '', page],
    ['GET', '/checkout/unknown/pay', '', '/checkout/unknown'],
  ])('303 redirects %s %s?%s to the page of the session', (method, path, query, location) => {
    expect(ask(method, path, query)).toEqual({
      statusCode: 303,
      headers: { ...checkoutPageHeaders, Location: location, 'X-Request-Id': 'r' },
    });
  });

  it.each([
    ['POST', `${page}/`],
    ['DELETE', `${page}/pay`],
    ['GET', page],
    ['GET', '/checkout//example.com/'],
    ['GET', '/checkout/../pay'],
    ['GET', '/checkout/a\r\nb/pay'],
    ['GET', '/v1/checkout-sessions/'],
  ])('leaves %s %j to the fallback', (method, path) => {
    expect(ask(method, path)).toBeUndefined();
  });
});
