import { type Route, routes } from '../../infra/routes.ts';
import { megabytesOf } from '../../infra/rows.ts';
import { workers } from '../../infra/workers.ts';

/** List prices of us-east-1 in dollars, without free tiers. */
export const pricesAsOf = '2026-11-20';

export const prices = {
  /** https://aws.amazon.com/api-gateway/pricing, HTTP API */
  apiRequest: 1 / 1e6,
  /** https://aws.amazon.com/lambda/pricing, arm64 */
  invocation: 0.2 / 1e6,
  gigabyteSecond: 0.0000133334,
  /** https://aws.amazon.com/dynamodb/pricing/on-demand, standard table */
  readUnit: 0.125 / 1e6,
  writeUnit: 0.625 / 1e6,
  /** https://aws.amazon.com/sqs/pricing, standard queues, with what fair ones cost in addition */
  queueRequest: (0.4 + 0.1) / 1e6,
  /** https://aws.amazon.com/sns/pricing; deliveries to Lambda are free */
  topicPublish: 0.5 / 1e6,
  /** https://aws.amazon.com/cloudwatch/pricing, logs */
  logGigabyte: 0.5,
} as const;

const rows = new Map([...Object.values<Route>(routes), ...workers].map((row) => [row.does, row]));

/** The memory of a function. */
const memoryOf = (does: string): number => megabytesOf(rows.get(does) ?? {});

/** With this memory, Lambda gives a function one processor; with less, a share of it. */
const processorMegabytes = 1_769;

/** Dollars of so many milliseconds of a function. */
export const dollarsOf = (does: string, milliseconds: number): number =>
  (milliseconds / 1_000) * (memoryOf(does) / 1_024) * prices.gigabyteSecond;

/** How long a function waits for an answer, in milliseconds. Calls of one invocation are taken one after the other, so this is at most. */
export const waitsMs = { read: 3, write: 5, transaction: 10, queue: 5, email: 40, webhook: 50, provider: 100 } as const;

/**
 * Processor time of a job of each function on one core, in milliseconds, when it has run some hundred times. The emulators of SES and KMS ran in
 * the same process, so this is at most. `npm run cost` prints what a job takes here, most of which is the first run.
 */
export const processorMsAsOf = '2026-11-23';
export const processorMs: Readonly<Record<string, number>> = {
  'messages/send-message': 7.5,
  // On 2026-11-27, from its ratio to `send-message` on the same machine.
  'messages/send-scheduled': 7.5,
  // The same of each row of ten, some of whose writes are repeated.
  'messages/send-messages': 9,
  'messages/get-message': 2.5,
  'messages/list-messages': 4,
  'outbox/route-changes': 0.2,
  'messages/count-messages': 0.3,
  'messages/end-interrupted-send': 1.5,
  'messages/send-text': 3,
  'callbacks/receive-ses-notification': 3.5,
  'callbacks/receive-sms-event': 4.5,
  'webhooks/publish-events': 2.5,
  'webhooks/attempt-delivery': 2,
  'contacts/create-contact': 2.5,
  'contacts/list-contacts': 3,
  'checkout/create-session': 4,
  'checkout/get-session': 2,
  'checkout/begin-payment': 4.5,
  // On 2026-11-27, from their ratios to `begin-payment` on the same machine.
  'merchants/refund-payment': 4,
  'checkout/work-payments': 1,
  'notices/give-notice': 3.5,
};

/** What each invocation costs before its first job: the runtime, parsing the event, writing the log. */
const invocationMs = 1;

/** Billed milliseconds of an invocation: waiting, and computing with a part of a processor. */
export const billedMs = (does: string, jobs: number, waitedMs: number): number =>
  Math.ceil(waitedMs + ((invocationMs + (processorMs[does] ?? 0) * jobs) * processorMegabytes) / memoryOf(does));

/** The line of API Gateway's access log for a request. */
export const accessLineBytes = 300;
/** CloudWatch charges for each line in addition. Of an invocation that succeeds, Lambda itself writes none. */
export const lineOverheadBytes = 26;
