import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { answering } from './answering.ts';
import { failureReply } from './fault-reply.ts';

/** A Lambda handler for pages and files. */
export const serving = (answer: (event: APIGatewayProxyEventV2) => Promise<APIGatewayProxyStructuredResultV2>) =>
  answering({ answer, failed: (thrown, { requestContext }) => failureReply(thrown, requestContext.requestId) });
