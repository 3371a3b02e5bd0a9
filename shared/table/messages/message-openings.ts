import type { AccountRef } from '../../kit/account-ref.ts';
import type { Vault } from '../../kit/cipher.ts';
import type { Item, Table } from '../table.ts';
import { bodyKeyOf, messageFrom, type StoredMessage, type Written, writtenIn } from './message-items.ts';

/** Opens rows of messages, with what lies beside them. */
export const openings = (table: Table, vault: Vault) => {
  /** One read for all large ones together. */
  const openAll = async (account: AccountRef, rows: readonly Item[]): Promise<StoredMessage[]> => {
    const bodies = await table.getAll(rows.map((row) => bodyKeyOf(account.id, row)));
    const cipher = await vault.unlock(account);
    return rows.map((row, n) => {
      const body = bodies[n];
      return messageFrom(account.id, cipher, row, body && writtenIn(account.id, cipher, String(row['SK']), body));
    });
  };

  return {
    openAll,

    /** `known`: what was written, where the caller has it. */
    open: async (account: AccountRef, row: Item, known?: Written): Promise<StoredMessage> => {
      if (known && bodyKeyOf(account.id, row)) return messageFrom(account.id, await vault.unlock(account), row, known);
      const [message] = await openAll(account, [row]);
      return message as StoredMessage;
    },
  };
};
