import * as z from 'zod';
import { type Failure, failures } from './failures.ts';
import { type Message, type Status, statuses, textChannels } from './message.ts';
import { moveBy, type Trigger } from './moves.ts';

/** What happens to a message without a move: a text waits for another attempt, or its report has not come in time. */
type Incident = 'refusedForNow' | 'unanswered' | 'unreported';

/** One letter for each step, because steps lie in the message's row. Never to be changed. */
const signs = {
  pickedUp: 'p',
  putOff: 'q',
  providerAccepted: 'a',
  providerRefused: 'x',
  sendInterrupted: 'i',
  fateUnknown: 'u',
  sendFailed: 'f',
  deliveryFailed: 'e',
  mailUndelivered: 'v',
  contentRejected: 'j',
  deliveryConfirmed: 'd',
  addressRejected: 'b',
  opened: 'o',
  clicked: 'c',
  read: 'r',
  optedOut: 's',
  complained: 'm',
  refusedForNow: 'n',
  unanswered: 'l',
  unreported: 't',
} as const satisfies Record<Trigger | Incident, string>;

type StepName = keyof typeof signs;

const named = new Map(Object.entries(signs).map(([name, sign]) => [sign as string, name as StepName]));

/** A step in a message's row: its sign, and its time in milliseconds since the message was accepted, in base 36. */
export const stepOf = (name: StepName, atMs: number, acceptedMs: number): string =>
  `${signs[name]}${(atMs - acceptedMs).toString(36)}`;

export const hasStep = ({ steps = [] }: Partial<Pick<Past, 'steps'>>, name: StepName): boolean =>
  steps.some((step) => step.startsWith(signs[name]));

const types = ['accepted', 'attempt', ...statuses, 'unreported', 'webhook_delivery'] as const;
type EntryType = (typeof types)[number];

const detail = z.object({
  outcome: z
    .enum(['accepted', 'refused', 'unavailable', 'unknown'])
    .optional()
    .describe('Of an attempt: what the provider answered; `unknown` when its answer was lost.'),
  reference: z.string().optional().describe('Of an attempt: the provider’s id of the message, if it gave one.'),
  code: z.string().optional().describe('Why it failed, for code.'),
  reason: z.string().optional().describe('Why it failed, for people.'),
  scheduledAt: z.string().optional().describe('Of `queued`: when it is to be sent, if the sender chose a time.'),
  event: z.string().optional().describe('Of a webhook delivery: the name of the event.'),
  webhookId: z.string().optional(),
  deliveryId: z.string().optional(),
  state: z.string().optional().describe('Of a webhook delivery: `pending`, `succeeded`, `failed` or `cancelled`.'),
  statusCode: z
    .int()
    .optional()
    .describe('Of a webhook delivery: what the last attempt was answered; 0 if there was no answer.'),
  attempts: z.int().optional().describe('Of a webhook delivery: how many were made.'),
});

/** One thing that happened to a message. */
export const timelineEntry = z
  .object({
    at: z.string().meta({ format: 'date-time' }),
    type: z
      .enum(types)
      .describe(
        '`accepted`, a status that the message came to, `attempt` (a call to its provider), `unreported` (no report came within 72 hours), or `webhook_delivery` (at its last attempt).',
      ),
    detail,
  })
  .meta({
    id: 'MessageTimelineEntry',
    description: 'One thing that happened to a message.',
    examples: [
      {
        at: '2026-11-20T12:00:00.240Z',
        type: 'attempt',
        detail: { outcome: 'accepted', reference: '0100019a9c1e5b7a-000000' },
      },
    ],
  });

export type TimelineEntry = z.output<typeof timelineEntry>;

/** What a timeline is made of. A message of an older release has no steps. */
export interface Past {
  readonly message: Message;
  readonly steps: readonly string[] | undefined;
  /** The provider's id of the message. */
  readonly reference: string | undefined;
}

type Shown = Pick<TimelineEntry, 'type' | 'detail'>;

const failureIn = ({ failureCode, failureReason }: Message): Partial<Failure> => ({
  ...(failureCode !== null && { code: failureCode }),
  ...(failureReason !== null && { reason: failureReason }),
});

/** What is shown of a step, in order. A provider's answer is an entry of its own before the status that it led to. */
const shownOf = (name: StepName, { message, reference }: Past): readonly Shown[] => {
  switch (name) {
    case 'providerAccepted':
      return [
        { type: 'attempt', detail: { outcome: 'accepted', ...(reference !== undefined && { reference }) } },
        { type: 'sent', detail: {} },
      ];
    case 'providerRefused':
      return [
        { type: 'attempt', detail: { outcome: 'refused', ...failureIn(message) } },
        { type: 'failed', detail: failureIn(message) },
      ];
    case 'fateUnknown':
      return [{ type: 'sent', detail: failures.unconfirmed }];
    case 'refusedForNow':
      return [{ type: 'attempt', detail: { outcome: 'unavailable' } }];
    case 'putOff':
      return [
        { type: 'attempt', detail: { outcome: 'unavailable' } },
        { type: 'queued', detail: {} },
      ];
    case 'unanswered':
      return [{ type: 'attempt', detail: { outcome: 'unknown' } }];
    case 'unreported':
      return [{ type: 'unreported', detail: failures.unreported }];
    default: {
      const { to } = moveBy(name);
      return [{ type: to, detail: endings.includes(to) ? failureIn(message) : {} }];
    }
  }
};

/** Statuses that no move leaves, so the failure that the message has is the one that led there. */
const endings: readonly Status[] = ['failed', 'rejected', 'bounced'];

/** What a message's own times say. A step that was skipped has been taken too; an older message has nothing else. */
const stampedIn = ({ message }: Past): readonly (readonly [EntryType, string | null])[] => [
  ['sent', message.sentAt],
  ['delivered', message.deliveredAt],
  [message.status === 'rejected' ? 'rejected' : 'failed', message.failedAt],
];

/** The provider's answer, where a report of it came before the answer itself. */
const answeredIn = ({ message: { sentAt, failedAt }, reference }: Past): readonly TimelineEntry[] => {
  const at = sentAt ?? failedAt;
  return at === null || reference === undefined
    ? []
    : [{ at, type: 'attempt', detail: { outcome: 'accepted', reference } }];
};

/** What happened to a message, oldest first. Entries of one time are in the order in which they can happen. */
export const timelineOf = (past: Past, deliveries: readonly TimelineEntry[]): TimelineEntry[] => {
  const { message, steps = [] } = past;
  const { createdAt, scheduledAt } = message;
  const waits = scheduledAt !== undefined || textChannels.some((channel) => channel === message.channel);
  const stepped = steps.flatMap((step) => {
    const name = named.get(step.slice(0, 1));
    const at = new Date(Date.parse(createdAt) + Number.parseInt(step.slice(1), 36)).toISOString();
    return name ? shownOf(name, past).map((shown) => ({ at, ...shown })) : [];
  });
  const stamped = stampedIn(past).flatMap(([type, at]) =>
    at === null || stepped.some((entry) => entry.type === type)
      ? []
      : [{ at, type, detail: type === message.status ? failureIn(message) : {} }],
  );
  const entries: TimelineEntry[] = [
    { at: createdAt, type: 'accepted', detail: {} },
    ...(waits
      ? [{ at: createdAt, type: 'queued' as const, detail: scheduledAt === undefined ? {} : { scheduledAt } }]
      : []),
    ...stepped,
    ...(stepped.some(({ detail }) => 'reference' in detail) ? [] : answeredIn(past)),
    ...stamped,
    ...deliveries,
  ];
  return entries.sort((a, b) => (a.at === b.at ? orderOf(a) - orderOf(b) : a.at < b.at ? -1 : 1));
};

/** A message may be queued after an attempt: until it is sent, the order is that of its steps. */
const order: readonly (readonly EntryType[])[] = [
  ['accepted'],
  ['queued', 'sending', 'attempt'],
  ['sent'],
  ['delivered'],
  ['opened'],
];
const orderOf = ({ type }: TimelineEntry): number => {
  const place = order.findIndex((types) => types.includes(type));
  if (place >= 0) return place;
  return order.length + (type === 'webhook_delivery' ? 1 : 0);
};
