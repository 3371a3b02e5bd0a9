import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { causeOf, log } from '../kit/log.ts';
import { answered } from '../kit/request-line.ts';
import type { Clock } from '../kit/time.ts';
import { aboutRequest } from './about-request.ts';
import { beforeCutOff, type LambdaTime } from './cut-off.ts';

type Answer = APIGatewayProxyStructuredResultV2;
type Headers = Readonly<Record<string, string>>;

interface Answering {
  /** `keep` adds headers to the answer, also to that of a failure. */
  readonly answer: (event: APIGatewayProxyEventV2, nowMs: number, keep: (headers: Headers) => void) => Promise<Answer>;
  /** The answer to a thrown error, which has been logged. */
  readonly failed: (thrown: unknown, event: APIGatewayProxyEventV2, nowMs: number) => Answer;
  readonly clock?: Clock | undefined;
}

/** A Lambda handler without a contract. Each answer comes before Lambda's timeout, is logged once, and has the id of its request. */
export const answering = ({ answer, failed, clock = Date.now }: Answering) =>
  aboutRequest(async (event: APIGatewayProxyEventV2, context: LambdaTime): Promise<Answer> => {
    const nowMs = clock();
    const kept: Record<string, string> = {};
    const keep = (headers: Headers): void => void Object.assign(kept, headers);
    const given = await beforeCutOff(context, () => answer(event, nowMs, keep)).catch((thrown: unknown) => {
      log('error', 'request failed', causeOf(thrown));
      return failed(thrown, event, nowMs);
    });
    log('info', answered, { routeKey: event.routeKey, status: given.statusCode, durationMs: clock() - nowMs });
    return { ...given, headers: { ...kept, ...given.headers, 'X-Request-Id': event.requestContext.requestId } };
  });
