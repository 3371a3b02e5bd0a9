import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';

const slashed = /^(\/docs(?:\/[a-z-]+)*)\/+$/;

/** An address of the documentation with a slash at its end: redirects to the page without it. */
export const docsRedirect = ({
  rawPath,
  rawQueryString,
  requestContext,
}: APIGatewayProxyEventV2): APIGatewayProxyStructuredResultV2 | undefined => {
  const [, path] = slashed.exec(rawPath) ?? [];
  const { http, requestId } = requestContext;
  if (!path || !['GET', 'HEAD'].includes(http.method)) return undefined;
  const query = rawQueryString && `?${rawQueryString}`;
  return {
    statusCode: 308,
    headers: { Location: path + query, 'Cache-Control': 'public, max-age=300', 'X-Request-Id': requestId },
  };
};
