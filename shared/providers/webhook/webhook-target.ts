import type { Answer } from '../../webhooks/delivery.ts';

export interface WebhookPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent unchanged. */
  readonly body: string;
}

/** The interface of webhook adapters. */
export interface WebhookTarget {
  /** Never throws. Without an answer, the status is 0 and the body is the reason. */
  post(post: WebhookPost): Promise<Answer>;
}
