import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { log } from '../kit/log.ts';
import { aboutRequest } from './about-request.ts';
import { failureReply } from './fault-reply.ts';

type Serve = (event: APIGatewayProxyEventV2) => Promise<APIGatewayProxyStructuredResultV2>;

/** A Lambda handler for pages and files: each answer is logged and has the id of its request, also that to a failure. */
export const serving = (serve: Serve) =>
  aboutRequest(async (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
    const { requestId } = event.requestContext;
    const answer = await serve(event).catch((thrown: unknown) => failureReply(thrown, requestId));
    log('info', 'answered', { routeKey: event.routeKey, status: answer.statusCode });
    return { ...answer, headers: { ...answer.headers, 'X-Request-Id': requestId } };
  });
