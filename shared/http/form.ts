import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { causeOf, log } from '../kit/log.ts';
import type { Clock } from '../kit/time.ts';
import { pageHeaders } from './page.ts';
import { failureStatus, retryHeadersOf } from './retry-after.ts';

/** The outcomes of a submitted form. */
const statuses = { done: 200, unknown: 404 } as const;
type Ending = keyof typeof statuses;

interface Sent {
  /** The values of `{name}` in the path. */
  readonly path: Readonly<Record<string, string | undefined>>;
  readonly nowMs: number;
}

/**
 * A Lambda handler for a page's form: runs `act`, and answers with the page for its outcome. It does not read the body.
 * An error of `act` is logged, and shown as `failed` without details.
 */
export const form =
  (act: (sent: Sent) => Promise<Ending>, pages: Readonly<Record<Ending | 'failed', string>>, clock: Clock = Date.now) =>
  async (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
    const { requestId } = event.requestContext;
    const sent = { path: event.pathParameters ?? {}, nowMs: clock() };
    const { status, text, more } = await act(sent).then(
      (ending) => ({ status: statuses[ending], text: pages[ending], more: {} }),
      (thrown: unknown) => {
        log('error', 'request failed', { requestId, ...causeOf(thrown) });
        return { status: failureStatus(thrown), text: pages.failed, more: retryHeadersOf(thrown) };
      },
    );
    log('info', 'answered', { requestId, routeKey: event.routeKey, status });
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
  };
