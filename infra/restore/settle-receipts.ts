import { dueStore } from '../../shared/table/checkout/due-store.ts';
import { type ItemKey, keyIn, partitions } from '../../shared/table/keys.ts';
import type { Item, Table } from '../../shared/table/table.ts';
import { always } from './always.ts';

interface Wishes {
  /** The table that served until now, if it can be read. */
  readonly former?: Pick<Table, 'getAll'> | undefined;
  readonly isDryRun?: boolean;
}

/** `known`: the payment has succeeded in the former table. `uncertain`: it may have. Its payer gets no receipt when it is settled once more. */
export interface SettledReceipt {
  readonly account: string;
  readonly payment: string;
  readonly outcome: 'known' | 'uncertain';
}

/**
 * Goes through the payments that may still succeed in a restored table, and marks those whose payers may have got their receipt since. It has to run
 * while nothing reads the table's changes. Repeated, it finds those that are left.
 */
export const settlingReceipts = ({ table }: { readonly table: Table }) => {
  const places = dueStore(table).places.filter(({ entity }) => entity === 'payment');

  async function* open(): AsyncGenerator<Item> {
    const stretch = { ...always, only: ['PK', 'SK', 'account', 'payment', 'hasReceipt'] };
    for (const { shard } of places) yield* await table.query(partitions.openPayments(shard), stretch);
  }

  const outcomeOf = async (key: ItemKey, { former }: Wishes): Promise<SettledReceipt['outcome'] | undefined> => {
    const [there] = (await former?.getAll([key])) ?? [];
    if (!there) return 'uncertain';
    return there['status'] === 'SUCCEEDED' ? 'known' : undefined;
  };

  const mark = async (key: ItemKey): Promise<void> => {
    await table.update({
      Key: key,
      UpdateExpression: 'SET hasReceipt = :yes',
      ConditionExpression: 'attribute_exists(PK)',
      ExpressionAttributeValues: { ':yes': true },
    });
  };

  return async function* settle(wishes: Wishes = {}): AsyncGenerator<SettledReceipt> {
    for await (const { PK, SK, account, payment, hasReceipt } of open()) {
      const key = keyIn({ PK, SK });
      const outcome = hasReceipt === true ? undefined : await outcomeOf(key, wishes);
      if (!outcome) continue;
      if (!wishes.isDryRun) await mark(key);
      yield { account: String(account), payment: String(payment), outcome };
    }
  };
};
