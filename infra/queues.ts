/** An interval, as an EventBridge rate. */
type Rate = '1 minute' | '1 hour' | '1 day';

export interface QueueRow<Name extends string = string> {
  /** A failed job returns after 5, 15, 45, 135, 405, then 900 s: eight tries outlast an outage of half an hour. */
  readonly tries: number;
  /** The queue for a job after its last try. Without it, `parked-jobs`, whose first job raises an alarm. */
  readonly afterwards?: Name;
  /** The jobs that schedules send, by their intervals. */
  readonly every?: Readonly<Partial<Record<Rate, { readonly kind: string }>>>;
}

/** Queues of jobs. */
export const queues = {
  /** Messages to end: `endJob`s of `shared/messages/jobs.ts`. Some come from a queue of 8 tries, and SQS may keep their receive count. */
  'interrupted-sends': { tries: 16 },
  /** Scheduled messages whose time has come: `scheduledJob`s of `shared/messages/jobs.ts`. */
  scheduled: { tries: 8, every: { '1 minute': { kind: 'sweep' } } },
  sms: { tries: 8, afterwards: 'interrupted-sends' },
  whatsapp: { tries: 8, afterwards: 'interrupted-sends' },
  /** Rare work that no caller waits for: `choreJob`s of `shared/chores/jobs.ts`. */
  chores: { tries: 8, every: { '1 hour': { kind: 'find-stranded' }, '1 day': { kind: 'sync-templates' } } },
  /** Messages that other services sent for our accounts: `trafficJob`s of `shared/messages/traffic.ts`. */
  'account-traffic': { tries: 8 },
  /** Changes of messages that are events: `messageEventJob`s of `shared/messages/jobs.ts`. */
  'message-events': { tries: 8 },
  /** Notices to merchants, payers and admins: `noticeJob`s of `shared/notices/notice-job.ts`. */
  notices: { tries: 8 },
  'webhook-deliveries': { tries: 8 },
  'slow-webhook-deliveries': { tries: 8 },
  /** `paymentJob`s of `shared/checkout/payment-job.ts`. Behind a slow gateway, jobs that had not begun return to the queue, which counts as a try. */
  payments: { tries: 10, every: { '1 minute': { kind: 'sweep' } } },
} as const satisfies Record<string, QueueRow>;

/**
 * The dead-letter queue of all queues, topics and readers of the stream: an alarm for each would cost as much as the work. Each parked job
 * says where it comes from, and `npm run replay` returns it there.
 */
export const parkedJobs = 'parked-jobs';

export type QueueName = keyof typeof queues;

export const queueRow = (name: QueueName): QueueRow<QueueName> => queues[name];

/** The setting of a function that says where a queue is. */
export const queueSetting = (name: QueueName, part: 'URL' | 'ARN'): string =>
  `${name.toUpperCase().replaceAll('-', '_')}_QUEUE_${part}`;

/** Topics that AWS's services publish to. */
export type TopicName = 'mail-events' | 'sms-events';
