import type { AcceptanceMethod, Operations } from '../../client/admin.ts';
import { ServiceError } from '../../client/client.ts';

export type Wish = Operations['PUT /accounts/{id}/checkout-methods']['request']['body'][number];

/** What the methods are to be, from what they are now: another person may have changed them since they were shown. */
export type Change = (now: readonly AcceptanceMethod[]) => readonly Wish[];

const isSame =
  ({ acceptanceMethodId }: AcceptanceMethod) =>
  (other: AcceptanceMethod): boolean =>
    other.acceptanceMethodId === acceptanceMethodId;

const wishOf = ({ hasCredentials: _, ...method }: AcceptanceMethod): Wish => method;

/** Those of one mode in their new order; the others stay as they are. */
export const reordered =
  (shown: AcceptanceMethod, by: -1 | 1): Change =>
  (now) => {
    const own = now.filter(({ livemode }) => livemode === shown.livemode);
    const from = own.findIndex(isSame(shown));
    const [moved, other] = [own[from], own[from + by]];
    if (!moved || !other) return now.map(wishOf);
    const order = own.with(from, other).with(from + by, moved);
    return now.map((method) => ({
      ...wishOf(method),
      ...(order.includes(method) && { sortOrder: order.indexOf(method) + 1 }),
    }));
  };

/** The server takes no higher one. */
const lastPlace = 10_000;

/** Last of its mode: places may have gaps, so the number of methods says nothing of the last one's. */
export const added =
  (wish: Omit<Wish, 'sortOrder'>): Change =>
  (now) => {
    const own = now.filter(({ livemode }) => livemode === wish.livemode);
    return [
      ...now.map(wishOf),
      { ...wish, sortOrder: Math.min(lastPlace, Math.max(0, ...own.map(({ sortOrder }) => sortOrder)) + 1) },
    ];
  };

const removed = () =>
  new ServiceError({ status: 404, code: 'not_found', message: 'This method has been removed.', requestId: null });

export const changed =
  (shown: AcceptanceMethod, change: (method: Wish) => Wish): Change =>
  (now) => {
    if (!now.some(isSame(shown))) throw removed();
    return now.map((method) => (isSame(shown)(method) ? change(wishOf(method)) : wishOf(method)));
  };

export const without =
  (shown: AcceptanceMethod): Change =>
  (now) =>
    now.filter((method) => !isSame(shown)(method)).map(wishOf);
