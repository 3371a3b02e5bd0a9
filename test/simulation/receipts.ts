import type { Account } from './accounts.ts';
import type { Code } from './bundle-functions.ts';
import type { World } from './world.ts';

/** What the mail of a payment says in its metadata, as facts name its message. */
export const receiptOf = (paymentId: string): string => `receipt of ${paymentId}`;

/** Has accounts send receipts; gives the customer of an order, whom no other mail of a world goes to. */
export const openReceipts = async ({ spared, timeline }: World, { inside }: Code, accounts: readonly Account[]) => {
  await spared(async () => {
    for (const { ref } of accounts) {
      const found = await inside.stores.accounts().find(ref.id);
      if (!found) throw new Error('an account is missing');
      const checkout = { ...found.checkout, sendsReceipts: true };
      await inside.stores.accounts().save(found, { ...found, checkout }, timeline.nowMs());
    }
  });
  return {
    customerOf: (order: string) => ({ email: `${order.replace(' ', '-')}@payers.example.com` }),
  };
};

export type Receipts = Awaited<ReturnType<typeof openReceipts>>;
