import type { Partition, Stretch } from './question.ts';
import type { Item, Table } from './table.ts';

/** Rows to read: a stretch of ids in each of several partitions. */
interface Part {
  readonly partitions: readonly Partition[];
  /** Over how many partitions the rows are spread evenly. Undefined: one of them may have the whole page. */
  readonly shards: number | undefined;
  /** Ids, both included. */
  readonly stretch: Stretch;
}

/** The greatest sort key below this id: ids end in a hexadecimal digit, and `/` comes right before `0`. */
export const before = (id: string): string =>
  `${id.slice(0, -1)}${String.fromCharCode(id.charCodeAt(id.length - 1) - 1)}`;
/** The least sort key above this id. */
export const behind = (id: string): string => `${id}0`;

/**
 * The first rows of several partitions together, in the order of their ids. A partition is read on only while its next row may be among them.
 * `idIn`: the attribute with the id.
 */
export const mergedRows = async (
  table: Pick<Table, 'query'>,
  { partitions, shards = 1, stretch }: Part,
  {
    newestFirst,
    limit,
    idIn = 'SK',
  }: { readonly newestFirst: boolean; readonly limit: number; readonly idIn?: string },
): Promise<Item[]> => {
  const idOf = (row: Item): string => String(row[idIn]);
  const [sign, share] = [newestFirst ? -1 : 1, shareOf(limit, shards)];
  let rows: Item[] = [];
  let open = partitions.map((partition) => ({ partition, stretch, last: '' }));
  while (open.length > 0) {
    const answers = await Promise.all(
      open.map(async ({ partition, stretch: left }) => {
        const found = await table.query(partition, { ...left, newestFirst, limit: share });
        const last = found.length < share ? undefined : found.at(-1);
        return { partition, left, found, last: last && idOf(last) };
      }),
    );
    rows = [...rows, ...answers.flatMap(({ found }) => found)]
      .sort((a, b) => (idOf(a) < idOf(b) ? -sign : sign))
      .slice(0, limit);
    const end = rows.length < limit ? undefined : rows.at(-1);
    open = answers.flatMap(({ partition, left, last }) => {
      if (last === undefined || (end && (newestFirst ? last <= idOf(end) : last >= idOf(end)))) return [];
      return [
        { partition, last, stretch: newestFirst ? { ...left, to: before(last) } : { ...left, from: behind(last) } },
      ];
    });
  }
  return rows;
};

/** How many rows of a page one of these shards probably has, and some more, so that a second read is rare. */
const shareOf = (limit: number, shards: number): number => {
  const mean = limit / shards;
  return shards === 1 ? limit : Math.min(limit, Math.ceil(mean + 3 * Math.sqrt(mean)) + 1);
};
