import { statusAt } from '../../shared/checkout/session-status.ts';
import type { Data } from './client.ts';
import type { Fits, Kind } from './lives.ts';
import { agree, behindMs, isAsked, isOf, isOfTime, type ListRule, type ThingRule } from './reader-row.ts';
import type { Read } from './readers.ts';
import type { Fields } from './table/value.ts';

const idIn =
  (name: string): Kind['idOf'] =>
  (item) =>
    String(item[name]);

/** A session's status, whether its end is stored or not. */
const statusOf = (item: Fields, atMs: number) => statusAt(item as unknown as Parameters<typeof statusAt>[0], atMs);

const session: ThingRule = {
  kind: { entity: 'checkout-session', idOf: idIn('session') },
  shows: (row, item, atMs) => {
    const { status, paymentStatus } = statusOf(item, atMs);
    return row.status === status && row.paymentStatus === paymentStatus && agree(row, item, 'amountMinor', 'livemode');
  },
};

/** One that its session no longer waits for has expired, whether that is stored or not. */
const statusesOf = ({ status, mark }: Fields): readonly unknown[] =>
  status === 'PENDING' && mark !== 'held' ? ['PENDING', 'EXPIRED'] : [status];

const payment: ThingRule = {
  kind: { entity: 'payment', idOf: idIn('payment') },
  shows: (row, item) =>
    row.checkoutSessionId === item['session'] &&
    statusesOf(item).includes(row.status) &&
    agree(row, item, 'amountMinor', 'currency', 'gatewayCode'),
};

const refund: ThingRule = {
  kind: { entity: 'refund', idOf: idIn('refund') },
  shows: (row, item) => row.paymentId === item['payment'] && agree(row, item, 'status', 'amountMinor', 'currency'),
};

export const checkoutThings = { session, payment, refund } as const;

/** What a merchant's list is limited to, but for the status. */
const isListed = (asked: Read, item: Fields, id: unknown): boolean =>
  isOf(asked, item) && isOfTime(id, asked.query['from'], asked.query['to']);

const isOfMode = ({ livemode }: Read, item: Fields | undefined): boolean => item?.['livemode'] === livemode;

export const checkoutLists = {
  sessions: {
    ...session,
    fits: (asked) => (item, atMs) =>
      isListed(asked, item, item['session']) &&
      isOfMode(asked, item) &&
      isAsked(asked.query['status'], statusOf(item, atMs).status),
    lagMs: () => 0,
  },
  payments: {
    ...payment,
    fits: (asked) => (item) => {
      const statuses = statusesOf(item);
      const isMeant = isListed(asked, item, item['payment']) && isOfMode(asked, item);
      if (!isMeant || asked.query['status'] === undefined) return isMeant;
      return statuses.includes(asked.query['status']) && (statuses.length === 1 || undefined);
    },
    lagMs: () => behindMs,
  },
  refunds: {
    ...refund,
    fits: (asked, judged) => {
      const modes = new Map(
        judged.world.table.all().flatMap((item) => (item['entity'] === 'payment' ? [[item['payment'], item]] : [])),
      );
      return (item): ReturnType<Fits> =>
        isListed(asked, item, item['refund']) &&
        isOfMode(asked, modes.get(item['payment'])) &&
        isAsked(asked.query['status'], item['status']);
    },
    lagMs: () => behindMs,
  },
  paymentsOfAccount: {
    kind: payment.kind,
    fits: (asked) => (item) => isOf(asked, item) && isAsked(asked.query['mark'], item['mark']),
    lagMs: () => behindMs,
    shows: (row: Data, item) =>
      row.checkoutSessionId === item['session'] &&
      agree(row, item, 'status', 'mark', 'livemode', 'amountMinor', 'refundableMinor'),
  },
} as const satisfies Record<string, ListRule>;
