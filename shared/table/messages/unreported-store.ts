import type { AccountRef } from '../../kit/account-ref.ts';
import type { Vault } from '../../kit/cipher.ts';
import { inParts } from '../../kit/in-parts.ts';
import { iso } from '../../kit/time.ts';
import { failures } from '../../messages/failures.ts';
import type { Channel, TextChannel } from '../../messages/message.ts';
import { oldestAfter } from '../after-cursor.ts';
import type { Table } from '../table.ts';
import { sealedReason, stepIn } from './message-items.ts';
import { placing } from './message-places.ts';
import { isOwn, messageRows } from './message-rows.ts';
import type { SpreadStore } from './spread-store.ts';

/** How many are marked at a time. */
const atATime = 20;

interface Unreported {
  readonly id: string;
  readonly channel: Channel;
}

interface UnreportedPage {
  readonly channel: TextChannel;
  readonly fromMs: number;
  readonly toMs: number;
  /** The message before the page; empty for the first one. */
  readonly after: string;
}

/** Texts that were sent and of which no report has come. */
export const unreportedStore = (table: Table, vault: Vault, spreads: SpreadStore, pageSize = 500) => {
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

    /**
     * Marks those of one page of a time's messages that have no report. Their status is unchanged, because they may have arrived. `next`: the cursor
     * of the next page, if there may be one.
     */
    markPage: async (
      account: AccountRef,
      { channel, fromMs, toMs, after }: UnreportedPage,
      nowMs: number,
    ): Promise<{ readonly marked: number; readonly next: string | undefined }> => {
      const rows = await messageRows(table, account.id, await spreads.of(account.id, toMs)).page(
        { channel, status: 'sent' },
        {
          ...oldestAfter(after || undefined, { fromMs, toMs }),
          newestFirst: false,
          limit: pageSize,
          only: ['SK', 'origin', 'failureCode', 'sentAt'],
        },
      );
      const found = rows.filter(isOwn).flatMap(({ SK, failureCode, sentAt = '' }): Unreported[] =>
        // A scheduled text is sent long after it was created.
        failureCode === undefined && String(sentAt) <= iso(toMs) ? [{ id: String(SK), channel }] : [],
      );
      const marked = (await inParts(found, atATime, (message) => markOne(account, message, nowMs))).filter(Boolean);
      return { marked: marked.length, next: rows.length < pageSize ? undefined : String(rows.at(-1)?.['SK']) };
    },
  };
};

export type UnreportedStore = ReturnType<typeof unreportedStore>;
