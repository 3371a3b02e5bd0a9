import { pauseAfter } from '../../aws/aws-retry.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import type { Vault } from '../../kit/cipher.ts';
import { keyIn } from '../keys.ts';
import type { Item, Table } from '../table.ts';
import { bodyKeyOf, messageFrom, type StoredMessage, type Written, writtenIn } from './message-items.ts';

interface Opened {
  readonly row: Item;
  readonly message: StoredMessage;
}

/** How often rows are read again. What one transaction removes, DynamoDB may show a moment apart. */
const mostReads = 5;

/** Opens rows of messages, with what lies beside them. */
export const openings = (table: Table, vault: Vault) => {
  /** What lies beside a row is deleted with it or after it, so rows without it are read again. */
  const asTheyAre = async (
    accountId: string,
    rows: readonly (Item | undefined)[],
    bodies: readonly (Item | undefined)[],
    reads = 0,
  ): Promise<readonly (Item | undefined)[]> => {
    const isWhole = rows.every((row, n) => !row || !bodyKeyOf(accountId, row) || bodies[n]);
    if (isWhole || reads === mostReads) return rows;
    if (reads > 0) await pauseAfter(reads);
    const latest = await table.getAll(rows.map((row) => row && keyIn(row)));
    return asTheyAre(accountId, latest, bodies, reads + 1);
  };

  /**
   * One read for all large ones together. Undefined: the message was cancelled or withdrawn since its row was read. One that was erased is as it is
   * now.
   */
  const openAll = async (account: AccountRef, rows: readonly Item[]): Promise<(Opened | undefined)[]> => {
    const bodies = await table.getAll(rows.map((row) => bodyKeyOf(account.id, row)));
    const cipher = await vault.unlock(account);
    return (await asTheyAre(account.id, rows, bodies)).map((row, n) => {
      const body = row && bodyKeyOf(account.id, row) && bodies[n];
      const written = body && writtenIn(account.id, cipher, String(row['SK']), body);
      return row && { row, message: messageFrom(account.id, cipher, row, written) };
    });
  };

  return {
    openAll,

    /** `known`: what was written, where the caller has it. Undefined: the message is gone. */
    open: async (account: AccountRef, row: Item, known?: Written): Promise<StoredMessage | undefined> => {
      if (known && bodyKeyOf(account.id, row)) return messageFrom(account.id, await vault.unlock(account), row, known);
      const [opened] = await openAll(account, [row]);
      return opened?.message;
    },
  };
};
