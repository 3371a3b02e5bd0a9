import type { AccountRef } from '../../kit/account-ref.ts';
import type { Vault } from '../../kit/cipher.ts';
import type { Item, Table } from '../table.ts';
import { bodyKeyOf, messageFrom, type StoredMessage, type Written, writtenIn } from './message-items.ts';

interface Opened {
  readonly row: Item;
  readonly message: StoredMessage;
}

/** Opens rows of messages, with what lies beside them. */
export const openings = (table: Table, vault: Vault) => {
  /** What lies beside a row is deleted with it or after it, so rows without it are read again. */
  const asTheyAre = async (accountId: string, rows: readonly Item[], bodies: readonly (Item | undefined)[]) =>
    rows.some((row, n) => bodyKeyOf(accountId, row) && !bodies[n])
      ? table.getAll(rows.map(({ PK, SK }) => ({ PK: String(PK), SK: String(SK) })))
      : rows;

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
