import { type PinnedRequestOptions, pinnedRequest } from '../http/pinned-request.ts';
import type { WebhookTarget } from './webhook-target.ts';

const mostCharacters = 2_000;

/** Calls untrusted targets, each only at its checked addresses. */
export const pinnedPost = (options: PinnedRequestOptions): WebhookTarget => {
  const request = pinnedRequest(options);
  return {
    post: async (post) => {
      const startedMs = performance.now();
      const { answer, failure } = await request({ method: 'POST', ...post });
      const responseTime = Math.round(performance.now() - startedMs);
      // The status counts, also where the body breaks off: a wrong length does not make a failure of a 200.
      return answer && !failure?.isLate
        ? { statusCode: answer.statusCode, responseTime, responseBody: beginningOf(answer.body) }
        : { statusCode: 0, responseTime, responseBody: failure.message };
    },
  };
};

const beginningOf = (body: string): string =>
  Array.from(body.slice(0, 2 * mostCharacters))
    .slice(0, mostCharacters)
    .join('');
