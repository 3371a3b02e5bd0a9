import { timeOfId } from '../../shared/kit/id.ts';
import type { Data } from './client.ts';
import type { Judged } from './invariants.ts';
import type { Fits, Kind } from './lives.ts';
import type { Read } from './readers.ts';
import type { Fields } from './table/value.ts';

/** What a request shows of one item. */
export interface ThingRule {
  readonly kind: Kind;
  /** Whether a row shows an item as it was when a request came. */
  readonly shows: (row: Data, item: Fields, atMs: number, judged: Judged) => boolean;
}

/** What a list has to show. */
export interface ListRule extends ThingRule {
  /** Whether an item is to be on a list. */
  readonly fits: (asked: Read, judged: Judged) => Fits;
  /** How far behind the table a list may be. */
  readonly lagMs: (asked: Read) => number;
}

/** An index is behind the table by less. */
export const behindMs = 2_000;

export const isOf = ({ account: { ref } }: Read, item: Fields): boolean => item['account'] === ref.id;

/** Whether a row says of these attributes what the item has; nothing is null. */
export const agree = (row: Data, item: Fields, ...names: readonly string[]): boolean =>
  names.every((name) => (row[name] ?? null) === (item[name] ?? null));

/** Whether a filter lets a value through. */
export const isAsked = (wanted: string | undefined, value: unknown): boolean =>
  wanted === undefined || wanted === value;

/** Whether an id is of a time that a query asks for. */
export const isOfTime = (id: unknown, from: string | undefined, to: string | undefined): boolean => {
  const ms = timeOfId(String(id));
  return ms >= (from === undefined ? ms : Date.parse(from)) && ms <= (to === undefined ? ms : Date.parse(to));
};
