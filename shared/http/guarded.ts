import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { faultReply } from './fault-reply.ts';
import type { Surface } from './surface.ts';

type Handler = (event: APIGatewayProxyEventV2) => Promise<APIGatewayProxyStructuredResultV2>;

/** A page that only the callers of this surface see. */
export const guarded =
  (surface: Surface<object>, show: Handler): Handler =>
  async (event) => {
    const identity = await surface.identify(event, Date.now());
    if (!('refusal' in identity)) {
      const answer = await show(event);
      return { ...answer, headers: { ...answer.headers, ...identity.headers } };
    }
    const { requestId } = event.requestContext;
    return faultReply(identity.refusal, { 'X-Request-Id': requestId, ...identity.headers });
  };
