import type { Power } from './powers.ts';

/** Queues of jobs. Each has a dead-letter queue of its own, which raises an alarm as soon as something is in it. */
export const queues = {
  'interrupted-sends': { tries: 5 },
  /** What sister services send for our accounts: `trafficJob`s of `shared/messages/traffic.ts`. */
  'account-traffic': { tries: 5 },
  'webhook-deliveries': { tries: 5 },
  'slow-webhook-deliveries': { tries: 5 },
  'deleted-webhooks': { tries: 5 },
} as const satisfies Record<string, { readonly tries: number }>;

export type QueueName = keyof typeof queues;

/** News from AWS's services. */
export type TopicName = 'mail-events';

export type ImagePattern = Readonly<Record<string, readonly string[]>>;

export interface ChangePattern {
  readonly eventName: readonly string[];
  readonly oldImage?: ImagePattern;
  readonly newImage?: ImagePattern;
}

/** A change of one kind of item: Lambda's event filter, on the stream's records. Of several, any lets a record pass. */
export interface StreamSource {
  readonly stream: ChangePattern | readonly ChangePattern[];
}

export interface QueueSource {
  readonly queue: QueueName;
  readonly batchSize: number;
  /** How many batches may be worked on at a time. */
  readonly concurrency?: number;
}

export interface TopicSource {
  readonly topic: TopicName;
}

export type Source = StreamSource | QueueSource | TopicSource;

/** `does` and `needs` as in `routes.ts`. `breaks`: what people notice while it fails; it becomes the alarm's text. */
export interface Worker {
  readonly does: string;
  readonly on: Source | readonly Source[];
  readonly needs: readonly Power[];
  readonly breaks: string;
}

/** Everything that runs without a caller. */
export const workers: readonly Worker[] = [
  {
    does: 'messages/watch-sends',
    on: {
      stream: {
        eventName: ['INSERT'],
        newImage: { entity: ['message'], origin: ['api'], channel: ['email'], status: ['sending'] },
      },
    },
    needs: ['queue:interrupted-sends'],
    breaks: 'Emails whose sending was cut off stay `sending`.',
  },
  {
    does: 'messages/settle-interrupted-send',
    on: { queue: 'interrupted-sends', batchSize: 10 },
    needs: ['table:read', 'table:write', 'data:open'],
    breaks: 'Emails whose sending was cut off stay `sending`.',
  },
  {
    does: 'messages/count-messages',
    on: {
      stream: [
        { eventName: ['INSERT', 'MODIFY'], newImage: { entity: ['message'] } },
        { eventName: ['REMOVE'], oldImage: { entity: ['message'] } },
      ],
    },
    needs: ['table:read', 'table:write'],
    breaks: 'Analytics miss what has happened to messages since.',
  },
  {
    does: 'messages/record-traffic',
    on: { queue: 'account-traffic', batchSize: 10 },
    needs: ['table:read', 'table:write', 'data:open'],
    breaks: 'Messages of campaigns and automations are missing from lists and analytics.',
  },
  {
    does: 'callbacks/receive-ses-notification',
    on: { topic: 'mail-events' },
    needs: ['table:read', 'table:write', 'data:open'],
    breaks: 'Emails stay `sent`, and nobody notices bounces and complaints.',
  },
  {
    does: 'webhooks/publish-events',
    on: {
      stream: {
        eventName: ['INSERT', 'MODIFY'],
        newImage: {
          entity: ['message'],
          origin: ['api'],
          // All but `queued` and `sending`, which nobody is told of.
          status: [
            'sent',
            'delivered',
            'opened',
            'clicked',
            'read',
            'bounced',
            'failed',
            'rejected',
            'unsubscribed',
            'complained',
          ],
        },
      },
    },
    needs: ['table:read', 'table:write', 'data:open', 'queue:webhook-deliveries'],
    breaks: 'Customers stop receiving events.',
  },
  {
    does: 'webhooks/attempt-delivery',
    on: [
      { queue: 'webhook-deliveries', batchSize: 10, concurrency: 20 },
      // Few enough that slow targets, all together, leave most of the function's room to the others.
      { queue: 'slow-webhook-deliveries', batchSize: 10, concurrency: 4 },
    ],
    needs: [
      'deliveries:attempt',
      'data:open',
      'webhooks:call',
      'retries:schedule',
      'queue:webhook-deliveries',
      'queue:slow-webhook-deliveries',
    ],
    breaks: 'Customers stop receiving events.',
  },
  {
    does: 'webhooks/tell-of-pause',
    on: { stream: { eventName: ['MODIFY'], newImage: { entity: ['webhook'], state: ['paused'] } } },
    needs: ['table:read', 'data:open', 'email:send'],
    breaks: 'Admins are not told when a webhook of theirs is paused.',
  },
  {
    does: 'webhooks/delete-logs',
    on: { queue: 'deleted-webhooks', batchSize: 1 },
    needs: ['table:read', 'table:write', 'data:open', 'queue:deleted-webhooks'],
    breaks: 'Logs of deleted webhooks are kept until they expire.',
  },
];
