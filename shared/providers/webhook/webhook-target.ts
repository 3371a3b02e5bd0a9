import type { Answer } from '../../webhooks/delivery.ts';

export interface WebhookPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Goes over the wire as it is. */
  readonly body: string;
}

/** The port that webhooks leave by. */
export interface WebhookTarget {
  /** Never throws: an answer of status 0 says why there was none. */
  post(post: WebhookPost): Promise<Answer>;
}
