import type { Clock } from '../kit/time.ts';
import type { LimitAddress } from './address-limit.ts';
import { answering } from './answering.ts';
import { uncachedPage } from './page.ts';
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
  limit: LimitAddress,
  clock?: Clock,
) =>
  answering({
    clock,
    answer: async (event, nowMs) => {
      const waitSeconds = await limit(event, nowMs);
      if (waitSeconds !== undefined) return uncachedPage(429, pages.busy, retryAfter(waitSeconds));
      const ending = await act({ path: event.pathParameters ?? {}, nowMs });
      return uncachedPage(statuses[ending], pages[ending]);
    },
    failed: (thrown) => uncachedPage(failureStatus(thrown), pages.failed, retryHeadersOf(thrown)),
  });
