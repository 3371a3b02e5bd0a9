import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { failureReply, faultReply } from './fault-reply.ts';
import type { Surface } from './surface.ts';

type Handler = (event: APIGatewayProxyEventV2) => Promise<APIGatewayProxyStructuredResultV2>;

/** A page that only the callers of this surface see. */
export const guarded = (surface: Surface<object>, show: Handler): Handler => {
  const answer: Handler = async (event) => {
    const identity = await surface.identify(event, Date.now());
    if ('refusal' in identity) return faultReply(identity.refusal, identity.headers);
    const shown = await show(event);
    return { ...shown, headers: { ...shown.headers, ...identity.headers } };
  };
  return async (event) => {
    const { requestId } = event.requestContext;
    const answered = await answer(event).catch((thrown: unknown) => failureReply(thrown, requestId));
    return { ...answered, headers: { ...answered.headers, 'X-Request-Id': requestId } };
  };
};
