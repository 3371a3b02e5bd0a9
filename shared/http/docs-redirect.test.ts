import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { expect, it } from 'vitest';
import { docsRedirect } from './docs-redirect.ts';

const ask = (method: string, rawPath: string, rawQueryString = '') =>
  docsRedirect({
    ...{ rawPath, rawQueryString, requestContext: { requestId: 'r', http: { method } } },
  } as APIGatewayProxyEventV2);

it.each([
  ['GET', '/docs/', '', '/docs'],
  ['HEAD', '/docs/errors/', '', '/docs/errors'],
  ['GET', '/docs//', 'a=1&b=%2F', '/docs?a=1&b=%2F'],
])('308 redirects %s %s?%s to the page without the slash', (method, path, query, location) => {
  expect(ask(method, path, query)).toEqual({
    statusCode: 308,
    headers: { Location: location, 'Cache-Control': 'public, max-age=300', 'X-Request-Id': 'r' },
  });
});

it.each([
  ['POST', '/docs/'],
  ['GET', '/docs'],
  ['GET', '//example.com/docs/'],
  ['GET', '/docs//example.com/'],
  ['GET', '/docs/../'],
  ['GET', '/messages/'],
])('leaves %s %s to the fallback', (method, path) => {
  expect(ask(method, path)).toBeUndefined();
});
