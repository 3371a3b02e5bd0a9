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

/** A Lambda handler that redirects these, and leaves the others to `answer`. */
export const redirectingDocs =
  <Event extends APIGatewayProxyEventV2, Rest extends readonly unknown[]>(
    answer: (event: Event, ...rest: Rest) => Promise<APIGatewayProxyStructuredResultV2>,
  ) =>
  async (event: Event, ...rest: Rest): Promise<APIGatewayProxyStructuredResultV2> =>
    docsRedirect(event) ?? answer(event, ...rest);
