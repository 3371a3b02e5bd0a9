import type { AccountRef } from '../../kit/account-ref.ts';
import type { Vault } from '../../kit/cipher.ts';
import { firstIdAt, lastIdAt } from '../../kit/id.ts';
import { inParts } from '../../kit/in-parts.ts';
import { iso } from '../../kit/time.ts';
import { failures } from '../../messages/failures.ts';
import { type Channel, type TextChannel, textChannels } from '../../messages/message.ts';
import type { Table } from '../table.ts';
import { sealedReason, stepIn } from './message-items.ts';
import { placing } from './message-places.ts';
import { messageRows } from './message-rows.ts';
import type { SpreadStore } from './spread-store.ts';

/** How many are marked at a time. */
const atATime = 20;

interface Unreported {
  readonly id: string;
  readonly channel: Channel;
}

/** Texts that were sent and of which no report has come. */
export const unreportedStore = (table: Table, vault: Vault, spreads: SpreadStore) => {
  const placeOf = placing(vault, spreads);

  /** Changes nothing unless the message is sent, without a report. */
  const markOne = async (account: AccountRef, message: Unreported, nowMs: number): Promise<boolean> => {
    const place = await placeOf(account, message);
    const step = stepIn(place, 'unreported', nowMs);
    const { done } = await table.update({
      Key: place.item,
      UpdateExpression: `SET failureCode = :code, failureReason = :reason, ${step.assignment}`,
      ConditionExpression: '#status = :sent AND attribute_not_exists(failureCode)',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: {
        ...step.values,
        ':sent': 'sent',
        ':code': failures.unreported.code,
        ':reason': sealedReason(place, failures.unreported.reason),
      },
    });
    return done;
  };

  return {
    markOne,

    /** Marks the messages of this time that have no report, and returns their number. Their status is unchanged, because they may have arrived. */
    mark: async (
      account: AccountRef,
      time: { readonly fromMs: number; readonly toMs: number },
      nowMs: number,
    ): Promise<number> => {
      const stretch = { from: firstIdAt(time.fromMs), to: lastIdAt(time.toMs), only: ['SK', 'failureCode', 'sentAt'] };
      const rows = messageRows(table, account.id, await spreads.of(account.id, time.toMs));
      const ofChannel = async (channel: TextChannel): Promise<Unreported[]> =>
        (await rows.all({ channel, status: 'sent' }, stretch)).flatMap(({ SK, failureCode, sentAt = '' }) =>
          // A scheduled text is sent long after it was created.
          failureCode === undefined && String(sentAt) <= iso(time.toMs) ? [{ id: String(SK), channel }] : [],
        );
      const found = (await Promise.all(textChannels.map(ofChannel))).flat();
      const marked = await inParts(found, atATime, (message) => markOne(account, message, nowMs));
      return marked.filter(Boolean).length;
    },
  };
};

export type UnreportedStore = ReturnType<typeof unreportedStore>;
