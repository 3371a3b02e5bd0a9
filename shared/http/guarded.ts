import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { aboutRequest } from './about-request.ts';
import { failureReply, faultReply } from './fault-reply.ts';
import { type Page, pageAnswer } from './page.ts';
import type { Surface } from './surface.ts';

/** A Lambda handler that serves a page to the callers of this surface only. */
export const guarded = (surface: Surface<object>, shown: Page) => {
  const answer = async (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
    const identity = await surface.identify(event, Date.now());
    if ('refusal' in identity) return faultReply(identity.refusal, identity.headers);
    const answered = pageAnswer(shown, event);
    return { ...answered, headers: { ...answered.headers, ...identity.headers } };
  };
  return aboutRequest(async (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
    const { requestId } = event.requestContext;
    const answered = await answer(event).catch((thrown: unknown) => failureReply(thrown, requestId));
    return { ...answered, headers: { ...answered.headers, 'X-Request-Id': requestId } };
  });
};
