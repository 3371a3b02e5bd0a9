import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { aboutRequest } from './about-request.ts';
import type { LambdaTime } from './cut-off.ts';
import { isRead } from './reads.ts';

/** Addresses that have moved. */
export interface Redirect {
  /** Its first group is the path to go to. */
  readonly from: RegExp;
  readonly statusCode: 303 | 308;
  readonly headers: Readonly<Record<string, string>>;
}

/** Undefined: the request is another one. The query goes along. */
export const redirected = (
  { from, statusCode, headers }: Redirect,
  event: APIGatewayProxyEventV2,
): APIGatewayProxyStructuredResultV2 | undefined => {
  const { rawPath, rawQueryString, requestContext } = event;
  const [, path] = from.exec(rawPath) ?? [];
  if (!path || !isRead(event)) return undefined;
  const query = rawQueryString && `?${rawQueryString}`;
  return { statusCode, headers: { ...headers, Location: path + query, 'X-Request-Id': requestContext.requestId } };
};

/** A Lambda handler that answers with the first redirect there is, and leaves other requests to `answer`. */
export const redirecting =
  <Event extends APIGatewayProxyEventV2, Time extends LambdaTime>(
    redirects: readonly Redirect[],
    answer: (event: Event, context: Time) => Promise<APIGatewayProxyStructuredResultV2>,
  ) =>
  async (event: Event, context: Time): Promise<APIGatewayProxyStructuredResultV2> => {
    const [redirect] = redirects.flatMap((one) => redirected(one, event) ?? []);
    return redirect ? aboutRequest(async () => redirect)(event, context) : answer(event, context);
  };
