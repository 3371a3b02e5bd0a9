import type { Power } from './powers.ts';

/** Queues of jobs. Each has a dead-letter queue of its own, which raises an alarm as soon as something is in it. */
export const queues = {
  'interrupted-sends': { tries: 5 },
} as const satisfies Record<string, { readonly tries: number }>;

export type QueueName = keyof typeof queues;

/** A change of one kind of item: Lambda's event filter, on the stream's records. */
export interface StreamSource {
  readonly stream: {
    readonly eventName: readonly string[];
    readonly newImage: Readonly<Record<string, readonly string[]>>;
  };
}

export interface QueueSource {
  readonly queue: QueueName;
  readonly batchSize: number;
}

/** `does` and `needs` as in `routes.ts`. `breaks`: what people notice while it fails; it becomes the alarm's text. */
export interface Worker {
  readonly does: string;
  readonly on: StreamSource | QueueSource;
  readonly needs: readonly Power[];
  readonly breaks: string;
}

/** Everything that runs without a caller. */
export const workers: readonly Worker[] = [
  {
    does: 'messages/watch-sends',
    on: {
      stream: { eventName: ['INSERT'], newImage: { entity: ['message'], channel: ['email'], status: ['sending'] } },
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
];
