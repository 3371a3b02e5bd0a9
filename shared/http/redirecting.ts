import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';

type Redirect = (event: APIGatewayProxyEventV2) => APIGatewayProxyStructuredResultV2 | undefined;

/** A Lambda handler that answers with the first redirect there is, and leaves other requests to `answer`. */
export const redirecting =
  <Event extends APIGatewayProxyEventV2, Rest extends readonly unknown[]>(
    redirects: readonly Redirect[],
    answer: (event: Event, ...rest: Rest) => Promise<APIGatewayProxyStructuredResultV2>,
  ) =>
  async (event: Event, ...rest: Rest): Promise<APIGatewayProxyStructuredResultV2> =>
    redirects.flatMap((redirect) => redirect(event) ?? [])[0] ?? answer(event, ...rest);
