import { whatsappWindowMs } from '../../compliance/gate.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import type { Cipher, Vault } from '../../kit/cipher.ts';
import { type ItemKey, itemKeys } from '../keys.ts';
import type { Item, Table } from '../table.ts';

export const windowKey = (accountId: string, cipher: Cipher, phone: string): ItemKey =>
  itemKeys.whatsappWindow(accountId, cipher.fingerprint('phone', phone));

/** When the window of an item ends. */
export const openUntilIn = (item: Item | undefined): number | undefined => item && Number(item['openUntilMs']);

/** The whatsapp windows of phone numbers, with or without a contact. The latest message counts, in any order of arrival. */
export const windowStore = (table: Table, vault: Vault) => {
  const set = async (
    account: AccountRef,
    phone: string,
    condition: string,
    { saidMs, openUntilMs }: { readonly saidMs: number; readonly openUntilMs: number },
  ): Promise<void> => {
    await table.update({
      Key: windowKey(account.id, await vault.unlock(account), phone),
      UpdateExpression: 'SET entity = :entity, saidMs = :said, openUntilMs = :until, expiresAt = :expires',
      ConditionExpression: `attribute_not_exists(PK) OR ${condition}`,
      ExpressionAttributeValues: {
        ':entity': 'whatsapp-window',
        ':said': saidMs,
        ':until': openUntilMs,
        ':expires': Math.ceil((saidMs + whatsappWindowMs) / 1_000),
      },
    });
  };

  return {
    /** The holder of this phone wrote to the account at this time. */
    open: (account: AccountRef, phone: string, atMs: number): Promise<void> =>
      set(account, phone, 'saidMs < :said', { saidMs: atMs, openUntilMs: atMs + whatsappWindowMs }),

    /** Closes the window after STOP, which wins over messages of the same time. */
    close: (account: AccountRef, phone: string, atMs: number): Promise<void> =>
      set(account, phone, 'saidMs <= :said', { saidMs: atMs, openUntilMs: atMs }),
  };
};
