import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { causeOf, log } from '../kit/log.ts';
import type { Clock } from '../kit/time.ts';
import { aboutRequest } from './about-request.ts';
import type { LimitAddress } from './address-limit.ts';
import { pageHeaders } from './page.ts';
import { failureStatus, retryAfter, retryHeadersOf } from './retry-after.ts';

/** The outcomes of a submitted form. */
const statuses = { done: 200, doneForAddress: 200, erased: 410, unknown: 404 } as const;
type Ending = keyof typeof statuses;

interface Sent {
  /** The values of `{name}` in the path. */
  readonly path: Readonly<Record<string, string | undefined>>;
  readonly nowMs: number;
}

/**
 * A Lambda handler for a page's form: runs `act`, and answers with the page for its outcome. It does not read the body.
 * An error of `act` is logged, and shown as `failed` without details. An address over its `limit` sees `busy`, and `act` does not run.
 */
export const form = (
  act: (sent: Sent) => Promise<Ending>,
  pages: Readonly<Record<Ending | 'busy' | 'failed', string>>,
  clock: Clock = Date.now,
  limit: LimitAddress = async () => undefined,
) =>
  aboutRequest(async (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
    const { requestId } = event.requestContext;
    const sent = { path: event.pathParameters ?? {}, nowMs: clock() };
    const answer = async () => {
      const waitSeconds = await limit(event, sent.nowMs);
      if (waitSeconds !== undefined) return { status: 429, text: pages.busy, more: retryAfter(waitSeconds) };
      const ending = await act(sent);
      return { status: statuses[ending], text: pages[ending], more: {} };
    };
    const { status, text, more } = await answer().catch((thrown: unknown) => {
      log('error', 'request failed', causeOf(thrown));
      return { status: failureStatus(thrown), text: pages.failed, more: retryHeadersOf(thrown) };
    });
    log('info', 'answered', { routeKey: event.routeKey, status });
    return {
      statusCode: status,
      headers: {
        ...pageHeaders({ type: 'text/html', text }),
        'Cache-Control': 'no-store',
        'X-Request-Id': requestId,
        ...more,
      },
      body: text,
    };
  });
