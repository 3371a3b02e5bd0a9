import type { MetricName } from '../kit/metrics.ts';

/** What each metric counts. CommonMark. */
export const metricTexts: Readonly<Record<MetricName, string>> = {
  accepted: 'Messages that were accepted and paid for.',
  sent: 'Messages that their provider has taken.',
  delivered: 'Messages whose delivery was confirmed.',
  failed: 'Messages that ended as `failed`, `rejected` or `bounced`.',
  sendLag: 'From acceptance, or from its time if the message was scheduled, until its provider had it.',
  blocked: 'Sends that a rule refused, by the name of the rule; `credits` if there were too few.',
  attempts: 'Attempts of webhook deliveries: `succeeded`, `refused` (an answer other than 2xx) or `unanswered`.',
  webhookLag: 'From acceptance until the first attempt to deliver `message.sent`.',
  payments: 'Payments that ended: `succeeded`, `failed`, `surplus`; and `held`, which wait for a person.',
  refunds: 'Refunds that ended: `succeeded` or `failed`.',
  retries:
    'Calls of AWS that were made again and then succeeded: after a `conflict`, `throttled`, or `failed` otherwise.',
};
