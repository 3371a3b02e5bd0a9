import { idAt, lastByteOf } from '../../kit/id.ts';
import type { Channel, Message } from '../../messages/message.ts';
import { hasStep } from '../../messages/timeline.ts';
import { type IndexKey, type ItemKey, indexKeys, itemKeys, partitions } from '../keys.ts';
import type { Item } from '../table.ts';
import type { MailPointer } from './mail-parts.ts';
import { heldBeside, moveUpdate, onlyIf, type StoredMessage } from './message-items.ts';
import type { MessagePlace } from './message-places.ts';

/** How many index partitions the rows of messages lie in that wait for their time. */
export const dueShards = 7;

/** Emails that a busy provider has not taken lie in another one: there may be very many, and what is due at its time would wait behind them. */
const retryShard = dueShards;

/** No sweep reads this partition of what is due: a message in it waits for a decision after a restore. */
export const reviewPartition = partitions.dueMessages(retryShard + 1);

/** The partitions that sweeps read. The release before put what was due in all of them. */
export const sweptShards = Array.from({ length: retryShard + 1 }, (_, shard) => shard);

export const dueShardOf = (id: string): number => lastByteOf(id) % dueShards;

/** A message whose time has come, or is near. */
export interface DueMessage {
  readonly account: string;
  readonly message: string;
  readonly channel: Channel;
  /** Its key in the index, which contains the time. */
  readonly dueId: string;
}

type Ids = Pick<Message, 'id' | 'channel'>;

export const dueKeyOf = (id: string, atMs: number) => indexKeys.dueMessage(dueShardOf(id), idAt(id, atMs));

/** The place of an email that its provider has not taken, until it is tried again. */
export const retryKeyOf = (id: string, atMs: number) => indexKeys.dueMessage(retryShard, idAt(id, atMs));

export const dueMessageFrom = ({ account, message, channel, GSI1SK }: Item): DueMessage => ({
  account: String(account),
  message: String(message),
  channel: channel as Channel,
  dueId: String(GSI1SK),
});

/** The row that says when a message is due, and where the content of an email lies. */
export const dueRow = (
  accountId: string,
  { id, channel }: Ids,
  dueKey: IndexKey,
  mail: MailPointer | undefined,
): ItemKey & Item => ({
  ...itemKeys.dueMessage(accountId, id),
  ...dueKey,
  entity: 'due-message',
  account: accountId,
  message: id,
  channel,
  mail,
});

/** The same of a message as it is accepted; none of one that is sent at once. */
export const dueRows = (accountId: string, message: Message, mail: MailPointer | undefined) =>
  message.scheduledAt === undefined
    ? []
    : [dueRow(accountId, message, dueKeyOf(message.id, Date.parse(message.scheduledAt)), mail)];

export type WithSteps = Pick<StoredMessage, 'steps'>;

/** An email that its provider has not taken is given back by the run that sends it. Refused where another run has it, or it has moved on. */
export const putOffUpdate = (place: MessagePlace, message: WithSteps, run: string, nowMs: number) => {
  const move = movedOnce(place, message, 'putOff', nowMs);
  return onlyIf(
    { ...move, UpdateExpression: `${move.UpdateExpression}, held = :held REMOVE run, claimedUntil` },
    'run = :token',
    { ':held': heldBeside, ':token': run },
  );
};

const stepsOfTry = ['pickedUp', 'putOff'] as const;

/** A move that the timeline tells until the message has waited after a worker's try, so that what waits a day for its provider does not grow. */
export const movedOnce = (
  place: MessagePlace,
  message: WithSteps,
  trigger: (typeof stepsOfTry)[number],
  nowMs: number,
) => moveUpdate(place, trigger, nowMs, { isTold: stepsOfTry.every((step) => hasStep(message, step)) });
