import type { siteMap } from './site-map.ts';

/** What to do about an alarm. CommonMark. */
export interface RunbookEntry {
  readonly title: string;
  readonly means: string;
  readonly look: string;
  readonly run: string;
  /** The page that says more. */
  readonly more?: keyof (typeof siteMap)['Operations'];
}

/** A paragraph for each kind of alarm. Its key is the anchor that the alarm's text links to. */
export const runbook = {
  'parked-jobs': {
    title: 'Work failed on its last try',
    means:
      'A job failed on its last try, after at least a quarter of an hour, or a notification of SES or AWS End User Messaging failed three times within minutes, or a queue refuses what follows from a change, for example for want of a permission, or a reader of the table’s stream failed at a batch of changes for six hours, or, if it only counts, ten times, or found it over six hours old. Nothing is lost: a job is kept for 14 days from when it was first queued, a batch for 90. What they were to do is not done.',
    look: '`npm run replay -- --stage prod` counts what is parked by queue and function, and says what users notice. In the log of that function, the lines `job failed` and those of level `error` have the cause: `error`, `code` and `stack`.',
    run: 'Remove the cause, then `npm run replay -- <queue> --stage prod`. Every job may run again at any time, so nothing happens twice; `messages-count-messages` only within 48 hours of the changes. The alarm is one for all: until it ends, it reports no further queue, so look at the counts again. It also ends after 14 days, when batches are still stored: the counts and `npm run doctor -- --aws --stage prod` go on to name them.',
    more: '/docs/parked',
  },
  'reader-behind': {
    title: 'The stream’s reader is behind',
    means:
      'Changes of the table wait more than five minutes. Everything that follows from them is late: texts, payments, refunds, events. Analytics have a reader of their own. After 24 hours the stream forgets changes.',
    look: 'The reader’s log and its metrics `Errors`, `Throttles` and `Duration`. The reader reports a change that it could not queue by itself, so `Errors` may stay 0: see the lines `jobs could not be queued`. A change that its queue refuses is parked after a minute; while a service does not answer, the changes wait for up to six hours. `npm run doctor -- --aws --stage prod` says whether the stream feeds its readers at all: the alarm cannot, because a function that is not called has no metrics.',
    run: 'If the reader fails, deploy a correction or the previous release; it continues where it was. If it is throttled, see function throttles.',
  },
  'needs-person': {
    title: 'Money waits for a person',
    means:
      'A gateway reported something that no rule decides: another amount than was asked for, a second payment of one order, a refund that it never confirms. No money moves until a person decides. The alarm reports the line and ends a minute later; the money waits all the same.',
    look: 'The lines with `needsPerson` in the log of `checkout-work-payments`, or in that of all requests, whose name begins with `prod-data-requestslog`, where a merchant ended the session: they name account, session, payment or refund, and `orderNumber`, by which the gateway knows that payment or refund: `tran_id` and `refund_trans_id` at SSLCommerz, the merchant invoice number and the SKU at bKash. `GET /admin/v1/accounts/{id}/payments` shows the gateway’s last answer, with `?mark=held` of the payments under review, which are also on the account’s screen “Reviews”. Compare it with the gateway’s own dashboard.',
    run: 'By the message of the line. `payment held for review`: `POST /admin/v1/payments/{paymentId}/resolution` with `accept`, `refund` or `reject`. `a payment was paid more than once`: refund its `transactionIds` at the gateway. `surplus money could not be refunded`: ask again with `POST /admin/v1/payments/{paymentId}/refunds`, or refund it at the gateway. `a confirmation stays unclear`, `a refund stays unclear`: the service goes on asking the gateway, for 3 days about a payment and for 30 about a refund; see there whether the money has moved. An open refund is settled with `POST /admin/v1/payments/{paymentId}/refunds/{refundId}/resolution` and `SUCCEEDED` or `FAILED`. `another refund than was asked for was reported`: compare the amounts, correct it at the gateway, and settle the refund. `a payment is listed as paid and not confirmed`: ask SSLCommerz what became of the money. `a payment stays unanswered`: the gateway gave no usable answer at the last check, after 3 days, or has still not decided, and nothing more is asked. See whether its credentials or its address have changed, look the payment up there, and refund what was paid. `a refund is still open`: 30 days are over, so settle it with the gateway, and then here.',
  },
  'no-credits': {
    title: 'An account has no credits left',
    means:
      'Sends of an account were refused with 402, or receipts of its payments were left out. Nothing of them was kept or sent.',
    look: 'The lines `an account is out of credits` in the log of all requests, whose name begins with `prod-data-requestslog`, or for a receipt in that of `notices-give-notice`: `accountId` and `counter`. `GET /admin/v1/accounts/{id}/credits` shows what is left.',
    run: 'Inform the account, or add credits with `POST /admin/v1/accounts/{id}/credits/adjustments`. The alarm ends when the refusals do. It is one for all accounts: until it ends, it reports no further one, so look at every `accountId` of the lines.',
  },
  'texts-refused': {
    title: 'A provider takes no texts of an account',
    means:
      'The provider of an account’s texts refused one for a reason that concerns all of them: credentials that it does not accept, a sender that is unknown, locked or unpaid, a URL that has moved, or the spend limit of AWS. Meta says so of many texts only after it has accepted them. Or it refused connections or answered 5xx in all eight attempts, which last about two minutes. The texts end as `failed`, their credits are returned, and the account receives `message.failed`. Or texts have waited for more than 15 minutes for a provider that hangs, or for a sender that is over its rate: they wait for a day, and then end in the same way. Or our own worker failed at a text on its last try, at least a quarter of an hour after the first: after a broken release, or where it may not use KMS or the table, that is every text.',
    look: 'The lines with `textsRefused` in the log of `messages-send-text`, or in that of all requests, whose name begins with `prod-data-requestslog`, where Meta reported it later: `accountId`, `channel` and `code`. The `failureReason` of a failed message on the dashboard is what the provider says. Lines without `code` are the spend limit, which `aws pinpoint-sms-voice-v2 describe-spend-limits` shows, or a provider that is down: `provider called with a text` then has the outcome `unavailable`. Or they are texts that wait: the outcome is `throttled`, or `a provider hangs` is near. The lines `text given up` are in the log of `messages-end-interrupted-send`: the cause is in that of `messages-send-text`, in the lines `job failed` and those of level `error`.',
    run: 'For the deployment’s own provider, correct its credentials or sender, or raise the limit. If a sender is over its rate, set `sms.messagesPerSecond`, or get a sender with a higher one. For an account’s own provider, inform the account, which corrects its settings. If the worker fails, deploy a correction or the previous release. The account sends the failed texts again. The alarm ends when the refusals do. It is one for all accounts: until it ends, it reports no further one, so look at every `accountId` of the lines.',
  },
  'api-errors': {
    title: 'The API answers 5xx',
    means:
      'Callers got 500 or 503. A request with an idempotency key can be repeated without harm; what was accepted before is not affected.',
    look: 'The lines `request failed` in the functions’ logs, by `requestId`. Without such lines a function was stopped or did not start: see its metrics. A 503 is a dependency that was throttled or did not answer.',
    run: 'After a deployment, deploy the previous release: see what [going back](/docs/deploying#upgrades) needs. Otherwise look at the AWS Health dashboard, and at the alarms of the table and of function throttles.',
  },
  'function-throttles': {
    title: 'Functions are throttled',
    means:
      'More functions were to run at once than the account’s quota in this region, or than is reserved for one of them. Workers wait and go on; callers of the API see 503. The metric covers all functions of the account in the region.',
    look: 'CloudWatch, Lambda, `ConcurrentExecutions` and `Throttles` by function name. Is it a flood on routes without a key, or one account’s traffic?',
    run: 'Ask for a larger quota (Service Quotas, Lambda, “Concurrent executions”). If sending or checkout suffers from others, set `RESERVED_CONCURRENCY` and deploy. Against a flood, lower the limits in `infra/throttles.ts`.',
  },
  'mail-refused': {
    title: 'SES refuses our emails',
    means:
      'SES has answered that this deployment may not send: a missing permission or configuration set, an address or domain that is not verified, the sandbox, a paused account or the daily quota. Senders get 500 `internal_error` (503 while sending is paused), or a message that ends as `failed`; in each case the credit is returned. Scheduled emails wait for up to a day. Or emails, scheduled or over the sending rate, have waited for SES for over 15 minutes: they end as `failed` after a day.',
    look: 'The lines with `mailRefused` in the logs of the functions: `refusal` is the kind, `cure` says what to do, `error`, `httpStatus` and `awsRequestId` are SES’s answer. The line `the email provider took no scheduled email` is of one that waits: its `error` is `Throttling` where the sending rate is exceeded. `aws ses get-send-quota` and `aws sesv2 get-account` show the account’s state.',
    run: 'Do what `cure` says. If the sending rate is exceeded, ask AWS for a higher one: Service Quotas, Amazon SES, “Sending rate”. Requests that got 500 can be repeated with the same `Idempotency-Key`. The alarm ends when the refusals do.',
  },
  'mail-reputation': {
    title: 'Bounces or complaints are too many',
    means:
      'Of the account’s recent emails, 5 % bounced or 0.1 % were complained about. SES puts an account under review at these rates and stops its sending at 10 % and 0.5 %. That stops the email of all accounts.',
    look: 'The SES console, “Reputation metrics”. Which account it is: `GET /api/v1/analytics/messages` of the accounts that send most, and the statuses `bounced` and `complained` in their lists.',
    run: 'Stop the account that causes it: freeze it with `PATCH /admin/v1/accounts/{id}` and `{ "status": "frozen" }`. Its sends are blocked, and its scheduled messages end as `failed` at their time; its checkout stops too. Revoked keys stop neither what is scheduled nor what its members send from the dashboard. Have it send only to recipients who asked for it, then set `active` again.',
  },
  table: {
    title: 'The table is throttled',
    means:
      'DynamoDB refused transactions because a partition, the table or an index took too many. Calls are repeated for seconds, so most requests are only slow; the others get 503. Nothing is half written.',
    look: 'CloudWatch, DynamoDB, `WriteThrottleEvents` and `ReadThrottleEvents` of the table and of each index. CloudWatch Contributor Insights shows the busiest keys, if it is switched on.',
    run: 'A new table that grows fast: set `WARM_THROUGHPUT` and deploy. One busy account: raise its spread: `npm run spread -- <account id> --credits 16 --stage prod`.',
    more: '/docs/spread',
  },
} as const satisfies Record<string, RunbookEntry>;

export type RunbookSection = keyof typeof runbook;
