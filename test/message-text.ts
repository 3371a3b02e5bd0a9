import type { AccountRef } from '../shared/kit/account-ref.ts';
import { itemKeys } from '../shared/table/keys.ts';
import { messageFrom, textFrom } from '../shared/table/messages/message-items.ts';
import type { World } from './world.ts';

/** A message that waits to be sent, with its content; undefined for any other. */
export const messageText = async ({ table, vault }: World, account: AccountRef, id: string) => {
  const keys = [itemKeys.message(account.id, 'sms', 0, id), itemKeys.message(account.id, 'whatsapp', 0, id)];
  const item = (await table.getAll(keys)).find((each) => each !== undefined);
  if (!item) return undefined;
  const cipher = await vault.unlock(account);
  const text = textFrom(account.id, cipher, item);
  return text === undefined ? undefined : { message: messageFrom(account.id, cipher, item), text };
};
