import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { checkoutPageHeaders } from './checkout-page.ts';

const belowSession = /^(\/checkout\/[\w-]+)\//;

/** A page address that is no page, such as that of a form's answer in a restored tab: redirects to the session's page, which shows its status. */
export const checkoutRedirect = ({
  rawPath,
  rawQueryString,
  requestContext,
}: APIGatewayProxyEventV2): APIGatewayProxyStructuredResultV2 | undefined => {
  const [, path] = belowSession.exec(rawPath) ?? [];
  const { http, requestId } = requestContext;
  if (!path || !['GET', 'HEAD'].includes(http.method)) return undefined;
  const query = rawQueryString && `?${rawQueryString}`;
  return { statusCode: 303, headers: { ...checkoutPageHeaders, Location: path + query, 'X-Request-Id': requestId } };
};
