import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { contextWith } from '../../test/lambda-context.ts';
import type { page } from './page.ts';

/** The query of a path, as API Gateway gives it. */
export const queryOf = (path: string): Record<string, string> =>
  Object.fromEntries(new URL(path, 'http://any').searchParams);

/** Calls a page's Lambda handler as API Gateway does. */
export const visit = async (
  show: ReturnType<typeof page>,
  headers: Readonly<Record<string, string>> = {},
  queryStringParameters: Readonly<Record<string, string>> = {},
  rawPath = '/',
): Promise<{ readonly status: number; readonly headers: Readonly<Record<string, unknown>>; readonly text: string }> => {
  const requestContext = { requestId: 'test-request', http: { method: 'GET' } };
  const event = {
    routeKey: `GET ${rawPath}`,
    rawPath,
    rawQueryString: '',
    headers,
    queryStringParameters,
    requestContext,
  };
  const answer = await show(event as unknown as APIGatewayProxyEventV2, contextWith());
  return { status: answer.statusCode ?? 0, headers: answer.headers ?? {}, text: answer.body ?? '' };
};
