import type { Vault } from '../../shared/kit/cipher.ts';
import type { Clock } from '../../shared/kit/time.ts';
import { dueStore } from '../../shared/table/checkout/due-store.ts';
import { refundStore } from '../../shared/table/checkout/refund-store.ts';
import { partitions } from '../../shared/table/keys.ts';
import type { Table } from '../../shared/table/table.ts';
import { always } from './always.ts';

/** A refund that its gateway may have been asked for since: it is asked what has become of it, before it is asked for it again. */
export interface SettledRefund {
  readonly account: string;
  readonly refund: string;
}

/**
 * Goes through the refunds that are open in a restored table, and claims those that nobody had asked a gateway for: a claim says that it may have
 * been asked. It has to run while nothing reads the table's changes. Repeated, it finds those that are left.
 */
export const settlingRefunds = ({ table, vault }: { readonly table: Table; readonly vault: Vault }, clock: Clock) => {
  const refunds = refundStore(table, vault);
  const places = dueStore(table).places.filter(({ entity }) => entity === 'refund');

  return async function* settle({
    isDryRun = false,
  }: {
    readonly isDryRun?: boolean;
  } = {}): AsyncGenerator<SettledRefund> {
    for (const { shard } of places) {
      const stretch = { ...always, only: ['session', 'refund'] };
      for (const row of await table.query(partitions.openRefunds(shard), stretch)) {
        const found = await refunds.find(String(row['session']), String(row['refund']));
        if (!found || found.refund.claim) continue;
        if (isDryRun || (await refunds.claim(found.refund, clock())))
          yield { account: found.account.id, refund: found.refund.id };
      }
    }
  };
};
