import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/**
 * Programs that open links to show a preview; some also claim to be a browser. A person's browser may have the name of the app that it is part of,
 * or of a phone (CUBOT).
 */
const previewers = /(?<!cu)bot\b|^(?:whatsapp|viber)\b|facebookexternalhit|preview|crawler|spider|embedly|iframely/i;

/** Who opens a link, as far as a request says it. */
export interface VisitKind {
  /** A prefetch or a HEAD: it must have no effect. */
  readonly isPrefetchOrHead: boolean;
  /** A program that shows a preview of the link. */
  readonly isPreview: boolean;
  /** A person opened the page in a browser: no link preview, program or prefetch. */
  readonly isNavigation: boolean;
  /**
   * Perhaps no person opened it: a prefetch, HEAD or preview, or what calls itself a browser, as mail scanners do, and does not ask for a document,
   * as browsers do since Chrome 80, Firefox 90 and Safari 16.4. What a form sends is not doubtful.
   */
  readonly isDoubtful: boolean;
}

export const visitKindOf = ({ headers, requestContext: { http } }: APIGatewayProxyEventV2): VisitKind => {
  const isPrefetch = ['sec-purpose', 'purpose', 'x-moz'].some((name) => headers[name]?.includes('prefetch'));
  const isPrefetchOrHead = isPrefetch || http.method === 'HEAD';
  const agent = headers['user-agent'] ?? '';
  const isPreview = previewers.test(agent);
  // Old browsers, and programs that follow a link, do not say what it is for.
  const isOpened = ['document', undefined].includes(headers['sec-fetch-dest']);
  const isUnsaid = agent.startsWith('Mozilla/') && headers['sec-fetch-dest'] !== 'document';
  return {
    isPrefetchOrHead,
    isPreview,
    isNavigation: isOpened && !isPrefetchOrHead && !isPreview,
    isDoubtful: http.method !== 'POST' && (isPrefetchOrHead || isPreview || isUnsaid),
  };
};
