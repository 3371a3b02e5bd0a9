import * as z from 'zod';
import type { IndexSpec, KeySpec, TableSpec } from '../blueprint.ts';
import { textOf, type WireItem } from './dynamodb-parts.ts';

/** One kind of attribute value, as DynamoDB's protocol has it. */
const oneKind = z.union([
  z.object({ S: z.string() }).transform(({ S }) => Buffer.byteLength(S)),
  z.object({ N: z.string() }).transform(({ N }) => Math.ceil(N.replace(/[-.]/g, '').length / 2) + 1),
  z.object({ B: z.string() }).transform(({ B }) => Buffer.byteLength(B, 'base64')),
  z.object({ BOOL: z.boolean() }).transform(() => 1),
  z.object({ NULL: z.boolean() }).transform(() => 1),
  z.object({ SS: z.array(z.string()) }).transform(({ SS }) => SS.reduce((sum, one) => sum + Buffer.byteLength(one), 0)),
  z.object({ NS: z.array(z.string()) }).transform(({ NS }) => NS.reduce((sum, one) => sum + one.length / 2 + 1, 0)),
  z
    .object({ BS: z.array(z.string()) })
    .transform(({ BS }) => BS.reduce((sum, one) => sum + Buffer.byteLength(one, 'base64'), 0)),
  z
    .object({ L: z.array(z.unknown()) })
    .transform(({ L }) => L.reduce<number>((sum, one) => sum + 1 + valueBytes(one), 3)),
  z.object({ M: z.record(z.string(), z.unknown()) }).transform(({ M }) => 3 + Object.keys(M).length + itemBytes(M)),
]);

const valueBytes = (value: unknown): number => oneKind.parse(value);

/** The size that DynamoDB charges for: names and values, and a little for each list and map. */
export const itemBytes = (item: WireItem): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value), 0);

const writeUnitsOf = (item: WireItem | undefined): number =>
  Math.max(1, Math.ceil((item ? itemBytes(item) : 0) / 1_024));

/** A read unit is 4 KB read consistently. A read of nothing costs as much as the smallest item. */
export const readUnitsOf = (item: WireItem | undefined, isConsistent: boolean): number =>
  Math.max(1, Math.ceil((item ? itemBytes(item) : 0) / 4_096)) * (isConsistent ? 1 : 0.5);

/** The capacity that a call takes from one partition key of the table or of an index. */
export interface Load {
  /** Undefined is the table. */
  readonly index?: string;
  readonly partition: string;
  readonly units: number;
}

/** What one write costs, and where. A transaction prepares and commits each item, which its indexes do not see. */
export const loadsOfWrite = (
  { key, indexes }: TableSpec,
  itemKey: WireItem,
  [before, after]: readonly [WireItem | undefined, WireItem | undefined],
  { isTransacted }: { readonly isTransacted: boolean },
): readonly Load[] => {
  const partition = textOf(itemKey[key.partition]) ?? '';
  const units = Math.max(writeUnitsOf(before), writeUnitsOf(after)) * (isTransacted ? 2 : 1);
  const inIndexes = indexes.flatMap((index): Load[] => {
    const rowIn = (item: WireItem | undefined) => {
      const [hash, sort] = [index.key.partition, index.key.sort ?? index.key.partition].map((name) =>
        textOf(item?.[name]),
      );
      if (!item || hash === undefined || sort === undefined) return undefined;
      const row = projected(item, index, key);
      return { hash, sort, row, units: writeUnitsOf(row) };
    };
    const [old, now] = [rowIn(before), rowIn(after)];
    const load = (row: NonNullable<typeof old>, cost: number) => ({
      index: index.name,
      partition: row.hash,
      units: cost,
    });
    if (old && now && old.hash === now.hash && old.sort === now.sort) {
      const isSame = JSON.stringify(old.row) === JSON.stringify(now.row);
      return isSame ? [] : [load(now, Math.max(old.units, now.units))];
    }
    return [old, now].flatMap((row) => (row ? [load(row, row.units)] : []));
  });
  return [{ partition, units }, ...inIndexes];
};

/** What an index has of an item. */
export const projected = (item: WireItem, { projection, key }: IndexSpec, ofTable: KeySpec): WireItem => {
  if (projection === 'ALL') return item;
  const names = [ofTable, key].flatMap(({ partition, sort = partition }) => [partition, sort]);
  return Object.fromEntries([...new Set(names)].map((name) => [name, item[name]]));
};
