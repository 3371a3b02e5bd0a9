import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { logAbout } from '../kit/log.ts';
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
 * Every line that is logged while a request is answered names the request. Where an edge is the only way to the API, what did not come through
 * it is refused.
 */
export const aboutRequest =
  <Event extends Pick<APIGatewayProxyEventV2, 'headers' | 'requestContext'>, Rest extends readonly unknown[], Answer>(
    answer: (event: Event, ...rest: Rest) => Promise<Answer>,
  ) =>
  async (event: Event, ...rest: Rest): Promise<Answer | Refusal> => {
    const edge = edgeIn(process.env);
    const seen = edge ? withoutEdge(event, edge) : event;
    return seen ? logAbout({ requestId: event.requestContext.requestId }, () => answer(seen, ...rest)) : forbidden();
  };
