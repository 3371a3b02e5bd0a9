import { minuteMs } from '../../shared/kit/time-units.ts';
import { type Account, callWithKey } from './accounts.ts';
import type { Code } from './bundle-functions.ts';
import { clientIn } from './client.ts';
import type { Change } from './messaging.ts';
import { randomIn } from './random.ts';
import type { Outside } from './services.ts';
import type { World } from './world.ts';

/** A receipt that its merchant cancelled while it waited for SES. */
export interface Cancellation extends Change {
  readonly to: string;
}

const domain = '@payers.example.com';
/** Of so many worlds one, which has receipts, has an SES that is busy for most of them at first. */
const worldsPerBusy = 100;
const placeOfBusy = 80;
const busyChance = 0.8;
const leastBusyMs = 20_000;
const cancelChance = 0.7;

/** What the mail of a payment says in its metadata, as facts name its message. */
export const receiptOf = (paymentId: string): string => `receipt of ${paymentId}`;

/** Has accounts send receipts; gives the customer of an order, whom no other mail of a world goes to. */
export const openReceipts = async (world: World, { inside }: Code, accounts: readonly Account[]) => {
  const { seed, spared, timeline } = world;
  const client = clientIn(world);
  const busyUntilMs = new Map<string, number>();
  const cancellations: Cancellation[] = [];

  await spared(async () => {
    for (const { ref } of accounts) {
      const found = await inside.stores.accounts().find(ref.id);
      if (!found) throw new Error('an account is missing');
      const checkout = { ...found.checkout, sendsReceipts: true };
      await inside.stores.accounts().save(found, { ...found, checkout }, timeline.nowMs());
    }
  });

  const cancel = async (account: Account, message: string, to: string): Promise<void> => {
    const made: Cancellation = { message, to, toMs: undefined };
    cancellations.push(made);
    const path = { id: message };
    const call = callWithKey(account, 'messages/cancel-message', 'DELETE /messages/{id}', { path });
    made.status = (await client.ask(call)).status;
  };

  /** Until when SES is busy for a receipt, which its merchant may cancel meanwhile. */
  const busyUntil = (account: Account, message: string, to: string): number => {
    const [chance, nowMs] = [randomIn(seed, `SES and ${message}`), timeline.nowMs()];
    if (seed % worldsPerBusy !== placeOfBusy || !chance.isChance(busyChance)) return nowMs;
    if (chance.isChance(cancelChance))
      world.plan(`cancellation for ${to}`, nowMs + chance.below(leastBusyMs), () => void cancel(account, message, to));
    return nowMs + leastBusyMs + chance.below(minuteMs);
  };

  return {
    cancellations,
    customerOf: (order: string) => ({ email: `${order.replace(' ', '-')}${domain}` }),

    /** @throws while SES is busy for a receipt */
    refuse: ({ destination, tags }: Parameters<Outside['mail']>[0]): void => {
      const account = accounts.find(({ ref }) => ref.id === tags['accountId']);
      const { messageId = '' } = tags;
      if (!account || !destination.endsWith(domain)) return;
      const untilMs = busyUntilMs.get(messageId) ?? busyUntil(account, messageId, destination);
      busyUntilMs.set(messageId, untilMs);
      if (timeline.nowMs() < untilMs)
        throw Object.assign(new Error('Maximum sending rate exceeded.'), {
          name: 'Throttling',
          $metadata: { httpStatusCode: 400 },
        });
    },
  };
};

export type Receipts = Awaited<ReturnType<typeof openReceipts>>;
