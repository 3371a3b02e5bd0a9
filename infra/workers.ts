import type { Power } from './powers.ts';
import type { QueueName, TopicName } from './queues.ts';

export type ImagePattern = Readonly<Record<string, readonly string[]>>;

export interface ChangePattern {
  readonly eventName: readonly string[];
  readonly oldImage?: ImagePattern;
  readonly newImage?: ImagePattern;
}

/** A change of one kind of item: Lambda's event filters on stream records. A record passes when any filter matches. */
export interface StreamSource {
  readonly stream: ChangePattern | readonly ChangePattern[];
}

/** The jobs of a queue, from a function or, on a queue with `every`, from its schedule. */
export interface QueueSource {
  readonly queue: QueueName;
  readonly batchSize: number;
  /** How many batches may be processed at a time. */
  readonly concurrency?: number;
}

export interface TopicSource {
  readonly topic: TopicName;
}

export type Source = StreamSource | QueueSource | TopicSource;

/** `does` and `needs` as in `routes.ts`. `breaks`: what users notice while it fails; it becomes the alarm's text. */
export interface Worker {
  readonly does: string;
  readonly on: Source | readonly Source[];
  readonly needs: readonly Power[];
  readonly breaks: string;
  /** What a person must resolve after a log line with `needsPerson: true`; it becomes the text of another alarm. */
  readonly needsPerson?: string;
}

/** Every function that no HTTP request calls. */
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
    breaks: 'Emails whose send was interrupted stay `sending`.',
  },
  {
    does: 'messages/end-interrupted-send',
    on: { queue: 'interrupted-sends', batchSize: 10 },
    needs: ['table:read', 'table:write', 'data:open'],
    breaks: 'Messages whose send was interrupted stay `sending`.',
  },
  {
    does: 'messages/queue-texts',
    on: {
      stream: {
        eventName: ['INSERT'],
        newImage: { entity: ['message'], origin: ['api'], channel: ['sms', 'whatsapp'], status: ['queued'] },
      },
    },
    needs: ['queue:sms', 'queue:whatsapp'],
    breaks: 'Sms and whatsapp messages stay `queued`.',
  },
  {
    does: 'messages/send-text',
    on: [
      { queue: 'sms', batchSize: 10, concurrency: 20 },
      { queue: 'whatsapp', batchSize: 10, concurrency: 20 },
    ],
    needs: [
      'table:read',
      'table:write',
      'data:open',
      'links:make',
      'sms:send',
      'whatsapp:send',
      'queue:sms',
      'queue:whatsapp',
      'queue:interrupted-sends',
    ],
    breaks: 'Sms and whatsapp messages stay `queued`.',
  },
  {
    does: 'messages/end-unsent-text',
    on: { queue: 'unsent-texts', batchSize: 10 },
    needs: ['table:read', 'table:write', 'data:open'],
    breaks:
      'Sms and whatsapp messages that cannot be sent stay `queued` or `sending`, and their credits are not returned.',
  },
  {
    does: 'rounds/find-stranded',
    on: { queue: 'stranded-work', batchSize: 1 },
    needs: [
      'table:read',
      'table:write',
      'data:open',
      'queue:stranded-work',
      'queue:interrupted-sends',
      'queue:sms',
      'queue:whatsapp',
      'queue:webhook-deliveries',
    ],
    breaks:
      'Messages and webhook deliveries whose job was lost do not continue. Messages without a delivery report are not marked.',
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
    breaks: 'Analytics do not include new messages and status changes.',
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
    breaks: 'Emails stay `sent`; bounces and complaints are not recorded.',
  },
  {
    does: 'callbacks/receive-sms-event',
    on: { topic: 'sms-events' },
    needs: ['table:read', 'table:write', 'data:open'],
    breaks: 'Sms sent through AWS stay `sent`.',
  },
  {
    does: 'templates/sync-whatsapp-templates',
    on: { queue: 'template-syncs', batchSize: 1 },
    needs: ['table:read', 'table:write', 'data:open', 'whatsapp:read-settings', 'queue:template-syncs'],
    breaks: 'WhatsApp templates are not synced with Meta.',
  },
  {
    does: 'webhooks/publish-events',
    on: {
      stream: {
        eventName: ['INSERT', 'MODIFY'],
        newImage: {
          entity: ['message'],
          origin: ['api'],
          // All but `queued` and `sending`, which have no event.
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
    does: 'checkout/send-receipt',
    on: { stream: { eventName: ['INSERT', 'MODIFY'], newImage: { entity: ['payment'], status: ['SUCCEEDED'] } } },
    needs: ['table:read', 'table:write', 'data:open', 'email:send'],
    breaks: 'Payers receive no receipts.',
  },
  {
    does: 'checkout/publish-checkout-events',
    on: {
      stream: [
        {
          eventName: ['INSERT', 'MODIFY'],
          newImage: { entity: ['payment'], status: ['SUCCEEDED', 'FAILED'] },
        },
        {
          eventName: ['INSERT', 'MODIFY'],
          newImage: { entity: ['refund'], status: ['SUCCEEDED', 'FAILED'] },
        },
      ],
    },
    needs: ['table:read', 'table:write', 'data:open', 'queue:webhook-deliveries'],
    breaks: 'Merchants stop receiving payment and refund events.',
  },
  {
    does: 'checkout/watch-checkouts',
    on: { stream: { eventName: ['INSERT'], newImage: { entity: ['payment', 'refund'] } } },
    needs: ['queue:payments', 'payments:simulate'],
    breaks: 'Payments are not opened at their gateways, refunds are not made, and lost callbacks are not detected.',
  },
  {
    does: 'checkout/work-payments',
    on: { queue: 'payments', batchSize: 10, concurrency: 20 },
    needs: [
      'table:read',
      'table:write',
      'data:open',
      'links:make',
      'queue:payments',
      'payments:simulate',
      'gateways:call',
    ],
    breaks: 'Payments are not opened at their gateways, settled or refunded. The expiry of sessions is not written.',
    needsPerson: 'A payment moved money in an unexpected way. It is under manual review.',
  },
  {
    does: 'webhooks/attempt-delivery',
    on: [
      // Eight lines at most go to one subscription, so that several must hang before others wait.
      { queue: 'webhook-deliveries', batchSize: 10, concurrency: 40 },
      // A low limit, so that slow targets leave most of the function's concurrency to the others.
      { queue: 'slow-webhook-deliveries', batchSize: 10, concurrency: 8 },
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
    does: 'webhooks/notify-of-pause',
    on: { stream: { eventName: ['MODIFY'], newImage: { entity: ['webhook'], state: ['paused'] } } },
    needs: ['table:read', 'data:open', 'email:send'],
    breaks: 'Admins receive no email when one of their webhooks is paused.',
  },
  {
    does: 'webhooks/delete-logs',
    on: { queue: 'deleted-webhooks', batchSize: 1 },
    needs: ['table:read', 'table:write', 'data:open', 'queue:deleted-webhooks'],
    breaks: 'Logs of deleted webhooks are kept until they expire.',
  },
];
