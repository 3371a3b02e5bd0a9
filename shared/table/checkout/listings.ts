import type { Payment } from '../../checkout/payment.ts';
import type { Refund } from '../../checkout/refund.ts';
import type { CheckoutSession } from '../../checkout/session.ts';
import type { Cipher } from '../../kit/cipher.ts';
import type { WantedPage } from '../../kit/cursor-page.ts';
import { firstIdAt } from '../../kit/id.ts';
import { inParts } from '../../kit/in-parts.ts';
import { shardOf } from '../../messages/spread.ts';
import { newestAfter } from '../after-cursor.ts';
import { idIn, indexKeys, itemKeys, partitions } from '../keys.ts';
import { mergedRows } from '../merged-rows.ts';
import type { Partition } from '../question.ts';
import type { Item, Table } from '../table.ts';

// Lists of an account's sessions, payments and refunds. A partition takes 1,000 writes a second, and ids that ascend always hit its last part, so
// each list of a mode lies in several.

/** How many partitions. */
export const listShards = 8;
const allShards = Array.from({ length: listShards }, (_, shard) => shard);

/** What a list is limited to. Times are included. */
export interface ListFilter {
  /** Undefined: both modes. */
  readonly livemode?: boolean | undefined;
  readonly invoiceId?: string | undefined;
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

/** An entry of a list: an id, and the session that it belongs to. */
export interface Entry {
  readonly id: string;
  readonly session: string;
}

const modeOf = (livemode: boolean): string => (livemode ? 'live' : 'test');

const modesOf = ({ livemode }: ListFilter): readonly string[] =>
  livemode === undefined ? [modeOf(true), modeOf(false)] : [modeOf(livemode)];

/** All partitions of a list. */
const partitionsOf = <Of extends Partition>(
  filter: ListFilter,
  partitionOf: (mode: string, shard: number) => Of,
): Of[] => modesOf(filter).flatMap((mode) => allShards.map((shard) => partitionOf(mode, shard)));

const invoicePrint = (cipher: Cipher, invoiceId: string): string => cipher.fingerprint('invoice', invoiceId);

/** A session's entry. With a payment it stays for good; without one it is deleted with its session, at `expiresAt`. */
export const sessionEntryItem = (
  cipher: Cipher,
  { id, accountId, livemode, invoiceId }: CheckoutSession,
  expiresAt: unknown,
): Item => ({
  ...itemKeys.sessionEntry(accountId, modeOf(livemode), shardOf(id, listShards), id),
  ...(invoiceId !== undefined &&
    indexKeys.sessionEntry(accountId, modeOf(livemode), invoicePrint(cipher, invoiceId), id)),
  entity: 'checkout-session-entry',
  expiresAt,
});

/** Finds a payment by its id, and lists it. It never changes, so index rows are written once. */
export const paymentPointer = ({ id, sessionId, accountId, livemode }: Payment): Item => ({
  ...itemKeys.paymentId(id),
  ...indexKeys.paymentId(accountId, modeOf(livemode), shardOf(id, listShards), id),
  entity: 'payment-id',
  session: sessionId,
});

/** Finds a refund by its id, and lists it. It never changes, so index rows are written once. */
export const refundPointer = ({ id, sessionId, accountId }: Refund, { livemode }: Pick<Payment, 'livemode'>): Item => ({
  ...itemKeys.refundId(id),
  ...indexKeys.refundId(accountId, modeOf(livemode), shardOf(id, listShards), id),
  entity: 'refund-id',
  session: sessionId,
});

const entryOf = (row: Item): Entry => ({ id: String(row['GSI1SK']), session: String(row['session']) });
/** Until its first payment begins, a session's entry has the time of its deletion. */
const hasPayment = ({ expiresAt }: Item): boolean => expiresAt === undefined;
const sessionEntryOf = ({ SK }: Item): Entry => ({ id: String(SK), session: String(SK) });

const newestFirst = (entries: readonly Entry[]): Entry[] =>
  [...entries].sort((one, other) => (one.id < other.id ? 1 : -1));

/** Of how many sessions the payments or refunds are read at the same time. */
const sessionsAtOnce = 50;

/** Pages of an account's lists, newest first, as one request reads them. */
export const listings = (table: Table, accountId: string, cipher: Cipher) => {
  const invoiceRows = async (
    filter: ListFilter,
    stretch: { readonly from: string; readonly to: string; readonly limit?: number },
  ): Promise<Item[]> => {
    const print = invoicePrint(cipher, filter.invoiceId ?? '');
    const rows = modesOf(filter).map((mode) =>
      table.query(partitions.sessionsOfInvoice(accountId, mode, print), { ...stretch, newestFirst: true }),
    );
    return (await Promise.all(rows)).flat();
  };

  /** All that an invoice's sessions have. Most sessions of an invoice that is not paid have nothing, and are not asked. */
  const allOfInvoice = async (
    kind: 'payment' | 'refund',
    filter: ListFilter,
    { from, to }: { readonly from: string; readonly to: string },
  ): Promise<Entry[]> => {
    const begun = (await invoiceRows(filter, { from: firstIdAt(0), to })).filter(hasPayment).map(sessionEntryOf);
    const found = await inParts(begun, sessionsAtOnce, async ({ session }) => {
      const keyOf = itemKeys[kind];
      const stretch = { from: keyOf(session, from).SK, to: keyOf(session, to).SK, newestFirst: true, only: ['SK'] };
      const rows = await table.query(partitions.checkout(session), stretch);
      return rows.map(({ SK }) => ({ id: idIn(String(SK)), session }));
    });
    return newestFirst(found.flat());
  };

  let known: Promise<Entry[]> | undefined;
  /** Read once, however many pages a filter takes. */
  const ofInvoice = async (kind: 'payment' | 'refund', filter: ListFilter, page: WantedPage): Promise<Entry[]> => {
    const stretch = newestAfter(page.cursor, filter);
    known ??= allOfInvoice(kind, filter, stretch);
    return (await known).filter(({ id }) => id <= stretch.to).slice(0, page.limit);
  };

  const merged = async (
    from: readonly Partition[],
    filter: ListFilter,
    page: WantedPage,
    sortKey: 'SK' | 'GSI1SK',
  ): Promise<Item[]> => {
    const stretch = newestAfter(page.cursor, filter);
    return mergedRows(
      table,
      { partitions: from, shards: listShards, stretch },
      { newestFirst: true, limit: page.limit, idIn: sortKey },
    );
  };

  return {
    sessions: async (filter: ListFilter, page: WantedPage): Promise<Entry[]> => {
      if (filter.invoiceId !== undefined) {
        const rows = await invoiceRows(filter, { ...newestAfter(page.cursor, filter), limit: page.limit });
        return newestFirst(rows.map(sessionEntryOf)).slice(0, page.limit);
      }
      const from = partitionsOf(filter, (mode, shard) => partitions.sessions(accountId, mode, shard));
      return (await merged(from, filter, page, 'SK')).map(sessionEntryOf);
    },

    /** Those of the release before may be of the other mode. */
    payments: async (filter: ListFilter, page: WantedPage): Promise<Entry[]> => {
      if (filter.invoiceId !== undefined) return ofInvoice('payment', filter, page);
      const from = partitionsOf(filter, (mode, shard) => partitions.payments(accountId, mode, shard));
      const all = [...from, partitions.earlierPayments(accountId)];
      return (await merged(all, filter, page, 'GSI1SK')).map(entryOf);
    },

    refunds: async (filter: ListFilter, page: WantedPage): Promise<Entry[]> => {
      if (filter.invoiceId !== undefined) return ofInvoice('refund', filter, page);
      const from = partitionsOf(filter, (mode, shard) => partitions.refunds(accountId, mode, shard));
      return (await merged(from, filter, page, 'GSI1SK')).map(entryOf);
    },
  };
};
