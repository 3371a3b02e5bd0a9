import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { causeOf, log } from '../kit/log.ts';
import type { Clock } from '../kit/time.ts';
import { pageHeaders } from './page.ts';

/** How a form that was sent can end. */
const statuses = { done: 200, unknown: 404, failed: 500 } as const;
type Ending = keyof typeof statuses;

interface Sent {
  /** What stands in the path for `{name}`. */
  readonly path: Readonly<Record<string, string | undefined>>;
  readonly nowMs: number;
}

/**
 * A Lambda handler for the form of a page: does what is asked, and answers with the page for how it ended. Whatever body comes is not read.
 * What `act` throws is logged, and told as `failed` without a word of it.
 */
export const form =
  (
    act: (sent: Sent) => Promise<Exclude<Ending, 'failed'>>,
    pages: Readonly<Record<Ending, string>>,
    clock: Clock = Date.now,
  ) =>
  async (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
    const { requestId } = event.requestContext;
    const ending = await act({ path: event.pathParameters ?? {}, nowMs: clock() }).catch((thrown: unknown): Ending => {
      log('error', 'request failed', { requestId, ...causeOf(thrown) });
      return 'failed';
    });
    const status = statuses[ending];
    log('info', 'answered', { requestId, routeKey: event.routeKey, status });
    return {
      statusCode: status,
      headers: {
        ...pageHeaders({ type: 'text/html', text: pages[ending] }),
        'Cache-Control': 'no-store',
        'X-Request-Id': requestId,
      },
      body: pages[ending],
    };
  };
