import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { logAbout } from '../kit/log.ts';
import { withinTime } from '../kit/time-limit.ts';
import type { LambdaTime } from './cut-off.ts';
import { edgeIn, withoutEdge } from './edge.ts';

interface Refusal {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly cookies?: string[];
}

/** As API Gateway refuses. */
const forbidden = (): Refusal => ({
  statusCode: 403,
  headers: { 'Content-Type': 'application/json' },
  body: '{"message":"Forbidden"}',
});

/**
 * Every line that is logged while a request is answered names the request, and no other service is called after the run's time. Where an edge is the
 * only way to the API, what did not come through it is refused.
 */
export const aboutRequest =
  <Event extends Pick<APIGatewayProxyEventV2, 'headers' | 'requestContext'>, Time extends LambdaTime, Answer>(
    answer: (event: Event, context: Time) => Promise<Answer>,
  ) =>
  async (event: Event, context: Time): Promise<Answer | Refusal> => {
    const edge = edgeIn(process.env);
    const seen = edge ? withoutEdge(event, edge) : event;
    if (!seen) return forbidden();
    const answerInTime = () => withinTime(Date.now() + context.getRemainingTimeInMillis(), () => answer(seen, context));
    return logAbout({ requestId: event.requestContext.requestId }, answerInTime);
  };
