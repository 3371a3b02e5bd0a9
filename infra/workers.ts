import type { ChangePattern, Consequence } from '../shared/work/outbox.ts';
import type { CountedLine } from './alarms.ts';
import { filtersOf, type RecordFilter } from './changes.ts';
import type { Power } from './powers.ts';
import type { QueueName, TopicName } from './queues.ts';
import type { SettingName } from './settings.ts';

/** A job that follows from a change; its delay may be a setting of the deployment. */
export interface Follow extends Consequence {
  readonly delay?: SettingName | number;
}

/** Records of the table's stream, in order: those that any filter lets through. AWS lets two functions read a stream. */
export interface StreamSource {
  readonly stream: readonly RecordFilter[];
  /** How long records are gathered, where what is written once for all of them costs more than they do. */
  readonly windowSeconds?: number;
  /** How many records are gathered at most; 100 by default. */
  readonly batchSize?: number;
  /** Batches are retried for six hours, and being minutes behind raises an alarm. Without it, a batch is given up after ten tries, and only that does. */
  readonly isUrgent?: true;
}

/**
 * How often Lambda retries a batch that fails. An urgent reader fails where the service that it calls does, which passes: it tries until its records
 * are too old, because ten tries last a minute or two. Ten thousand are Lambda's maximum.
 */
export const streamRetriesOf = ({ isUrgent }: StreamSource): number => (isUrgent ? 10_000 : 10);

/** A queue that functions may send to. */
export type OpenQueue = { [Name in QueueName]: `queue:${Name}` extends Power ? Name : never }[QueueName];

interface Consumption {
  readonly batchSize: number;
  /** How many batches may be processed at a time. Without a limit, a full queue would take all the runs that the account's functions share. */
  readonly concurrency: number;
}

/** The jobs of a queue. They come from functions, from its schedules, and by `change` from the table: the outbox queues what follows from each change. */
export type QueueSource =
  | ({ readonly queue: QueueName; readonly change?: undefined } & Consumption)
  | ({ readonly queue: OpenQueue; readonly change: Follow | readonly Follow[] } & Consumption);

export interface TopicSource {
  readonly topic: TopicName;
}

export type Source = StreamSource | QueueSource | TopicSource;

/** `does` and `needs` as in `routes.ts`. `breaks`: what users notice while it fails; `npm run replay` says it of parked jobs. */
export interface Worker {
  readonly does: string;
  readonly on: Source | readonly Source[];
  readonly needs: readonly Power[];
  readonly breaks: string;
  readonly memoryMegabytes?: number;
  /** Lines of its log that raise an alarm. */
  readonly countedLines?: readonly CountedLine[];
}

const sentMessage = { entity: ['message'], origin: ['api'] } as const;
const messageIds = { account: 'account', message: 'SK', channel: 'channel' };
const textToSend = { ...messageIds, expiresMs: 'expiresMs', price: 'price' };
const messageState = { status: 'status', sentAt: 'sentAt', deliveredAt: 'deliveredAt', failedAt: 'failedAt' };

/** Texts that do not wait for a time: new ones, and scheduled ones that have waited. */
const textsToSend = (channel: 'sms' | 'whatsapp'): readonly ChangePattern[] => {
  const free = { ...sentMessage, channel: [channel], status: ['queued'], held: 'unset' } as const;
  return [
    { isNew: true, is: free },
    { was: { held: 'set' }, is: free },
  ];
};

const sessionIds = { account: 'account', session: 'session' };
const paymentIds = { ...sessionIds, payment: 'payment' };
const refundIds = { ...sessionIds, refund: 'refund' };

/** Every function that a queue or a topic calls, and the one that needs the table's changes in order. */
const consumers: readonly Worker[] = [
  {
    does: 'messages/end-interrupted-send',
    on: {
      queue: 'interrupted-sends',
      batchSize: 10,
      // Each email and each body of a message has a job here.
      concurrency: 40,
      change: [
        {
          when: [
            { isNew: true, is: { ...sentMessage, channel: ['email'], status: ['sending'] } },
            { was: { held: 'set' }, is: { ...sentMessage, channel: ['email'], status: ['sending'], held: 'unset' } },
          ],
          // Most sends have ended when the outbox reads that they began.
          onlyWhile: { status: ['sending'] },
          carries: { ...messageIds, run: 'run' },
          delay: 'SEND_GIVE_UP_SECONDS',
        },
        {
          when: { isNew: true, is: { entity: ['message-body'] } },
          kind: 'body',
          carries: { account: 'account', message: 'message', channel: 'channel', body: 'SK' },
          // Before that, a request may still be about to accept the message.
          delay: 60,
        },
      ],
    },
    needs: [
      'account:read',
      'messages:read',
      // The slot of a text that was not sent.
      'contacts:read',
      'credits:write',
      'messages:write',
      'contacts:write',
      'data:open',
    ],
    breaks:
      'Messages whose send was interrupted stay `sending`. Texts that cannot be sent stay `queued`, and their credits are not returned.',
    countedLines: ['textsRefused'],
  },
  {
    does: 'messages/send-text',
    on: [
      {
        queue: 'sms',
        batchSize: 10,
        concurrency: 20,
        change: {
          when: textsToSend('sms'),
          kind: 'text',
          carries: textToSend,
        },
      },
      {
        queue: 'whatsapp',
        batchSize: 10,
        concurrency: 20,
        change: {
          when: textsToSend('whatsapp'),
          kind: 'text',
          carries: textToSend,
        },
      },
    ],
    needs: [
      'account:read',
      'contacts:read',
      'messages:read',
      'credits:write',
      'contacts:write',
      'messages:write',
      'data:open',
      'links:make',
      'sms:send',
      'whatsapp:send',
      'queue:sms',
      'queue:whatsapp',
      'queue:interrupted-sends',
      'texts:give-up',
    ],
    breaks:
      'Sms and whatsapp messages stay `queued` for at least a quarter of an hour, and then end as `failed`, or as `sent` where a provider may have taken them.',
    countedLines: ['textsRefused'],
  },
  {
    does: 'messages/send-scheduled',
    // A mail with its files takes up to 200 MB while it is sent, and the mails of a batch are sent at the same time.
    on: { queue: 'scheduled', batchSize: 3, concurrency: 20 },
    memoryMegabytes: 1024,
    needs: [
      'account:read',
      'contacts:read',
      'messages:read',
      'due-work:read',
      'credits:write',
      'contacts:write',
      'messages:write',
      'data:open',
      'email:send',
      'email:know-sender',
      'queue:scheduled',
    ],
    breaks: 'Scheduled messages stay `queued` after their time, and so do emails over the sending rate of SES.',
    countedLines: ['mailRefused'],
  },
  {
    does: 'chores/do-chore',
    on: { queue: 'chores', batchSize: 1, concurrency: 20 },
    needs: [
      'account:read',
      'all-accounts:read',
      'contacts:read',
      'messages:read',
      'webhooks:read',
      'templates:read',
      'transfers:read',
      'due-work:read',
      'contacts:write',
      'messages:write',
      'webhooks:write',
      'templates:write',
      'transfers:write',
      'data:open',
      'whatsapp:read-settings',
      'imports:read',
      'refused-rows:write',
      'exports:write',
      'queue:chores',
      'queue:interrupted-sends',
      'queue:sms',
      'queue:whatsapp',
      'queue:webhook-deliveries',
    ],
    breaks:
      'Messages and webhook deliveries whose job was lost do not continue. Messages without a delivery report are not marked. WhatsApp templates are not synced with Meta. Logs of deleted webhooks are kept until they expire. Imports and exports do not continue.',
  },
  {
    does: 'messages/count-messages',
    on: {
      stream: [
        { eventName: ['INSERT', 'MODIFY'], newImage: { entity: ['message'] } },
        { eventName: ['REMOVE'], oldImage: { entity: ['message'] } },
      ],
      // Long enough that most messages are counted once, with all that becomes of them. An hour's count is used a minute after its end.
      windowSeconds: 10,
      batchSize: 1_000,
    },
    needs: ['counts:read', 'counts:write'],
    breaks: 'Analytics do not include new messages and status changes.',
  },
  {
    does: 'messages/record-traffic',
    on: { queue: 'account-traffic', batchSize: 10, concurrency: 20 },
    needs: ['account:read', 'messages:read', 'messages:write', 'data:open'],
    breaks: 'Messages of campaigns and automations are missing from lists and analytics.',
  },
  {
    does: 'callbacks/receive-ses-notification',
    on: { topic: 'mail-events' },
    needs: ['account:read', 'messages:read', 'contacts:read', 'messages:write', 'contacts:write', 'data:open'],
    breaks: 'Emails stay `sent`; bounces and complaints are not recorded.',
  },
  {
    does: 'callbacks/receive-sms-event',
    on: { topic: 'sms-events' },
    needs: [
      'account:read',
      'all-accounts:read',
      'senders:read',
      'messages:read',
      'contacts:read',
      'messages:write',
      'contacts:write',
      'data:open',
    ],
    breaks: 'Sms sent through AWS stay `sent`.',
  },
  {
    does: 'webhooks/publish-events',
    on: {
      queue: 'message-events',
      batchSize: 10,
      concurrency: 20,
      change: {
        // What makes an event in `shared/webhooks/events.ts`.
        when: [
          { is: sentMessage, becomes: { sentAt: 'set' } },
          { is: sentMessage, becomes: { deliveredAt: 'set' } },
          { is: sentMessage, becomes: { failedAt: 'set' } },
          { is: { ...sentMessage, channel: ['email'] }, becomes: { status: ['bounced'] } },
        ],
        carries: { ...messageIds, ...messageState, failureCode: 'failureCode' },
        was: messageState,
      },
    },
    needs: [
      'account:read',
      'messages:read',
      'webhooks:read',
      'webhooks:write',
      'events:store',
      'data:open',
      'queue:webhook-deliveries',
    ],
    breaks: 'Customers stop receiving events.',
  },
  {
    does: 'notices/give-notice',
    on: {
      queue: 'notices',
      batchSize: 10,
      concurrency: 20,
      change: [
        {
          when: [
            { is: { entity: ['payment'] }, becomes: { status: ['SUCCEEDED'] } },
            { is: { entity: ['payment'] }, becomes: { status: ['FAILED'] } },
          ],
          kind: 'payment',
          carries: { ...paymentIds, status: 'status', mark: 'mark' },
        },
        {
          when: [
            { is: { entity: ['refund'] }, becomes: { status: ['SUCCEEDED'] } },
            { is: { entity: ['refund'] }, becomes: { status: ['FAILED'] } },
          ],
          kind: 'refund',
          carries: { ...refundIds, status: 'status', isAutomatic: 'isAutomatic' },
        },
        {
          when: { is: { entity: ['checkout-session'] }, becomes: { status: ['EXPIRED'] } },
          kind: 'session',
          carries: sessionIds,
        },
        {
          // `npm run restore` marks those whose receipt may have been mailed before.
          when: { is: { entity: ['payment'], hasReceipt: 'unset' }, becomes: { status: ['SUCCEEDED'] } },
          kind: 'receipt',
          carries: { ...paymentIds, mark: 'mark' },
        },
        {
          when: { was: { state: ['active'] }, is: { entity: ['webhook'], state: ['paused'] } },
          kind: 'pause',
          carries: { account: 'account', webhook: 'SK' },
        },
        { when: { isNew: true, is: { entity: ['sign-in'] } }, kind: 'sign-in', carries: { place: 'PK' } },
        {
          when: {
            isNew: true,
            is: { entity: ['membership'], isSilent: 'unset' },
          },
          kind: 'invitation',
          carries: { account: 'place', PK: 'PK', SK: 'SK' },
        },
      ],
    },
    needs: [
      'account:read',
      'credits:read',
      'contacts:read',
      'messages:read',
      'webhooks:read',
      'checkout:read',
      'credits:write',
      'contacts:write',
      'messages:write',
      'webhooks:write',
      'events:store',
      'spread:raise',
      'data:open',
      'email:send',
      'email:know-sender',
      'links:make',
      'queue:webhook-deliveries',
      'retries:know',
      'people:read',
      'sign-ins:read',
      'sign-ins:write',
      'rates:count',
    ],
    breaks:
      'People cannot sign in to the dashboard, because links are not mailed. Merchants stop receiving events of payments, refunds and expired sessions, payers receive no receipts, and admins receive no email when one of their webhooks is paused.',
    countedLines: ['mailRefused', 'outOfCredits'],
  },
  {
    does: 'checkout/work-payments',
    on: {
      queue: 'payments',
      batchSize: 10,
      concurrency: 20,
      change: [
        {
          when: { isNew: true, is: { entity: ['payment'], gatewayCode: ['sslcommerz', 'bkash'] } },
          kind: 'open',
          carries: paymentIds,
        },
        {
          when: { isNew: true, is: { entity: ['payment'], chaos: ['duplicate_notification'] } },
          kind: 'resolve',
          carries: paymentIds,
          copies: 3,
        },
        {
          // A review has rejected what its gateway had reported: the right money may be there.
          when: { was: { mark: ['held'] }, is: { entity: ['payment'], status: ['FAILED', 'EXPIRED'], mark: 'unset' } },
          kind: 'resolve',
          carries: paymentIds,
        },
        { when: { isNew: true, is: { entity: ['refund'] } }, kind: 'refund', carries: refundIds },
        { when: { isNew: true, is: { entity: ['payment'] } }, kind: 'watch', carries: paymentIds },
      ],
    },
    needs: [
      'account:read',
      'checkout:read',
      'gateways:read',
      'due-work:read',
      'checkout:write',
      'gateways:write',
      'data:open',
      'links:make',
      'queue:payments',
      'sessions:open',
      'payments:simulate',
      'gateways:call',
    ],
    breaks:
      'Payments are not opened at their gateways, settled or refunded, and lost callbacks are not detected. The expiry of sessions is not written.',
    countedLines: ['needsPerson'],
  },
  {
    does: 'webhooks/attempt-delivery',
    on: [
      // Eight leases at most go to one subscription, so that several must hang before others wait.
      { queue: 'webhook-deliveries', batchSize: 10, concurrency: 40 },
      // A low limit, so that slow targets leave most of the function's concurrency to the others.
      { queue: 'slow-webhook-deliveries', batchSize: 10, concurrency: 8 },
    ],
    needs: [
      'deliveries:attempt',
      'data:open',
      'webhooks:call',
      'retries:schedule',
      'retries:know',
      'queue:webhook-deliveries',
      'queue:slow-webhook-deliveries',
    ],
    breaks: 'Customers stop receiving events.',
  },
];

const fed = consumers.flatMap(({ on }) => on).flatMap((source) => ('queue' in source && source.change ? [source] : []));
const patterns: readonly ChangePattern[] = fed.flatMap(({ change }) => [change].flat()).flatMap(({ when }) => when);

/** The only reader of the stream beside the one that counts: it queues what follows from each change, by the rows above. */
const outboxReader: Worker = {
  does: 'outbox/route-changes',
  on: { stream: filtersOf(patterns), isUrgent: true },
  needs: [...new Set(fed.map(({ queue }) => `queue:${queue}` as const)), 'sends:give-up', 'jobs:park'],
  breaks: 'Nothing follows from what is accepted: texts, payments and refunds wait, and customers receive no events.',
};

/** Every function that no HTTP request calls. */
export const workers: readonly Worker[] = [...consumers, outboxReader];
