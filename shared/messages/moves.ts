import { type Channel, channels, type Message, type Status, textChannels } from './message.ts';

type Stamp = 'sentAt' | 'deliveredAt' | 'failedAt';

interface Move {
  readonly on: readonly Channel[];
  readonly from: readonly Status[];
  readonly to: Status;
  readonly isBack?: true;
  /** The timestamps that the move sets if they are unset: a skipped step counts as done. */
  readonly stamps?: readonly Stamp[];
}

/** What a provider was called with and has not ended. `sending` is among them because the provider's answer may have been lost. */
const underWay = ['sending', 'sent'] as const;
const arrived = ['sentAt', 'deliveredAt'] as const;

/**
 * Every legal move of a message by trigger (messaging specification, "Message statuses"). On another channel, or from any other status,
 * the trigger changes nothing: late, repeated and out-of-order triggers never move a message back. Only the run that sends an email does.
 */
export const moves = {
  /** A worker sends it now. An email is `queued` only until its scheduled time, or while its provider is busy. */
  pickedUp: { on: channels, from: ['queued'], to: 'sending' },
  /** Its provider took nothing: it waits for another run. */
  putOff: { on: ['email'], from: ['sending'], to: 'queued', isBack: true },
  providerAccepted: { on: channels, from: ['sending'], to: 'sent', stamps: ['sentAt'] },
  providerRefused: { on: channels, from: ['sending'], to: 'failed', stamps: ['failedAt'] },
  /** No run is processing it, and no provider has accepted it. */
  sendInterrupted: { on: channels, from: ['queued', 'sending'], to: 'failed', stamps: ['failedAt'] },
  /** The provider may have accepted it. A later report still moves it on, as with every `sent` message. */
  fateUnknown: { on: textChannels, from: ['sending'], to: 'sent' },
  sendFailed: { on: channels, from: ['queued', 'sending'], to: 'failed', stamps: ['failedAt'] },
  /** The provider accepted it, and could not deliver it. */
  deliveryFailed: { on: textChannels, from: underWay, to: 'failed', stamps: ['sentAt', 'failedAt'] },
  /** The provider accepted it and rejected it later, for example for a virus or a carrier's rule. */
  contentRejected: { on: channels, from: underWay, to: 'rejected', stamps: ['sentAt', 'failedAt'] },
  deliveryConfirmed: { on: channels, from: underWay, to: 'delivered', stamps: arrived },
  /** The same of a mail. A server may accept one and give it back afterwards, as when it bounces. */
  mailUndelivered: { on: ['email'], from: [...underWay, 'delivered'], to: 'failed', stamps: ['sentAt', 'failedAt'] },
  addressRejected: { on: ['email'], from: [...underWay, 'delivered'], to: 'bounced', stamps: ['sentAt'] },
  opened: { on: ['email'], from: [...underWay, 'delivered'], to: 'opened', stamps: arrived },
  clicked: { on: ['email'], from: [...underWay, 'delivered', 'opened'], to: 'clicked', stamps: arrived },
  read: { on: ['whatsapp'], from: [...underWay, 'delivered'], to: 'read', stamps: arrived },
  optedOut: {
    on: channels,
    from: [...underWay, 'delivered', 'opened', 'clicked', 'read'],
    to: 'unsubscribed',
    stamps: arrived,
  },
  complained: {
    on: ['email'],
    from: [...underWay, 'delivered', 'opened', 'clicked', 'unsubscribed'],
    to: 'complained',
    stamps: arrived,
  },
} as const satisfies Record<string, Move>;

export type Trigger = keyof typeof moves;

/** A trigger's row of the table. */
export const moveBy = (trigger: Trigger): Move => moves[trigger];

export const permits = (trigger: Trigger, { channel, status }: Pick<Message, 'channel' | 'status'>): boolean => {
  const { on, from } = moveBy(trigger);
  return on.includes(channel) && from.includes(status);
};

/** The statuses of a channel from which moves lead forward to this one, one after the other. */
export const statusesBefore = (channel: Channel, status: Status): ReadonlySet<Status> => {
  const direct = Object.values<Move>(moves).flatMap(({ on, from, to, isBack }) =>
    to === status && on.includes(channel) && !isBack ? from : [],
  );
  return new Set([...direct, ...direct.flatMap((each) => [...statusesBefore(channel, each)])]);
};
