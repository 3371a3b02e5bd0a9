import type { TextChannel } from '../../messages/message.ts';
import { itemKeys } from '../keys.ts';
import type { Table } from '../table.ts';

/** Turns that are wanted of a sender which takes so many segments a second. */
interface Wanted {
  readonly segments: number;
  readonly perSecond: number;
}

/**
 * Turns at an account's senders, which take only so many segments of an sms, or whatsapp messages, a second, known to all who send. Turns of another rate than a sender has now
 * count no more: those that have one take another.
 */
export const textTurnStore = (table: Table) => {
  /** Reserves the next free interval of a sender. Returns its start. */
  const take = async (
    accountId: string,
    channel: TextChannel,
    { segments, perSecond }: Wanted,
    nowMs: number,
  ): Promise<number> => {
    const Key = itemKeys.textTurn(accountId, channel);
    const lastsMs = (segments * 1_000) / perSecond;
    const next = await table.update({
      Key,
      UpdateExpression: 'SET nextMs = nextMs + :lasts',
      ConditionExpression: 'nextMs > :now AND perSecond = :perSecond',
      ExpressionAttributeValues: { ':lasts': lastsMs, ':now': nowMs, ':perSecond': perSecond },
    });
    if (next.done) return Number(next.item['nextMs']) - lastsMs;
    const first = await table.update({
      Key,
      UpdateExpression: 'SET nextMs = :first, perSecond = :perSecond',
      ConditionExpression: 'attribute_not_exists(perSecond) OR nextMs <= :now OR perSecond <> :perSecond',
      ExpressionAttributeValues: { ':first': nowMs + lastsMs, ':now': nowMs, ':perSecond': perSecond },
    });
    return first.done ? nowMs : take(accountId, channel, { segments, perSecond }, nowMs);
  };

  return {
    take,

    /** The end of the last interval that was reserved; 0 when there was none. */
    freeAt: async (accountId: string, channel: TextChannel, perSecond: number): Promise<number> => {
      const turns = await table.get(itemKeys.textTurn(accountId, channel));
      return turns?.['perSecond'] === perSecond ? Number(turns['nextMs']) : 0;
    },
  };
};

export type TextTurnStore = ReturnType<typeof textTurnStore>;
