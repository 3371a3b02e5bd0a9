import type { Table } from '../table.ts';
import { endUnsentWrites, type StoredMessage, type UnsentEnd, type WriteCondition } from './message-items.ts';
import type { MessagePlace } from './message-places.ts';
import { slotBackWrites } from './send-conditions.ts';

type Unsent = Pick<StoredMessage, 'price'> & Partial<Pick<StoredMessage, 'contactId' | 'slotMs'>>;

/**
 * Ends a message that was not sent and returns its price and its slot of the frequency cap, in one transaction. False: its status or `only` does
 * not permit it.
 */
export const endUnsent = async (
  table: Pick<Table, 'get' | 'transact'>,
  at: MessagePlace,
  message: Unsent,
  why: UnsentEnd,
  only: WriteCondition,
): Promise<boolean> => {
  const end = endUnsentWrites(at, message.price, why, only);
  const refused = await table.transact([...end, ...(await slotBackWrites(table, at.accountId, message))]);
  // Another send has changed the slots since they were read.
  if (refused?.failed.every(({ position }) => position >= end.length)) return endUnsent(table, at, message, why, only);
  return refused === undefined;
};
