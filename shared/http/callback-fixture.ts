import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { contextWith } from '../../test/lambda-context.ts';
import type { LimitAddress } from './address-limit.ts';
import type { callback } from './callback.ts';

export const unlimited: LimitAddress = async () => undefined;

interface Call {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly isBase64Encoded?: boolean;
}

/** Calls a callback's handler as API Gateway would. */
export const callBack = async (
  handler: ReturnType<typeof callback>,
  { path, query, headers = {}, body, isBase64Encoded = false }: Call,
): Promise<{ readonly status: number; readonly text: string; readonly headers: Readonly<Record<string, unknown>> }> => {
  const event: Partial<APIGatewayProxyEventV2> = {
    headers,
    isBase64Encoded,
    requestContext: { requestId: 'test-request' } as APIGatewayProxyEventV2['requestContext'],
    ...(path && { pathParameters: { ...path } }),
    ...(query && { queryStringParameters: { ...query } }),
    ...(body !== undefined && { body }),
  };
  const answer = await handler(event as APIGatewayProxyEventV2, contextWith());
  const { statusCode = 0, body: text = '', headers: answered = {} } = answer;
  return { status: statusCode, text, headers: answered };
};
