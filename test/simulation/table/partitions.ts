import type { Fields } from './value.ts';

/** An item in the order of its partition. `sort` ends with the item's key where an index may have several of one sort key. */
interface Placed {
  readonly sort: string;
  readonly item: Fields;
}

/** The first place whose sort key is not below. */
const placeOf = (partition: readonly Placed[], sort: string): number => {
  let [from, to] = [0, partition.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((partition[middle]?.sort ?? '') < sort) from = middle + 1;
    else to = middle;
  }
  return from;
};

/** Items by partition and sort key: the table, or one of its indexes. */
export const openPartitions = () => {
  const partitions = new Map<string, Placed[]>();
  /** Kept until something changes: a quiet world is looked through every minute. */
  let whole: readonly Fields[] | undefined;
  return {
    get: (hash: string, sort: string): Fields | undefined => {
      const partition = partitions.get(hash) ?? [];
      const placed = partition[placeOf(partition, sort)];
      return placed?.sort === sort ? placed.item : undefined;
    },

    set: (hash: string, sort: string, item: Fields | undefined): void => {
      whole = undefined;
      const partition = partitions.get(hash) ?? [];
      const place = placeOf(partition, sort);
      const isThere = partition[place]?.sort === sort;
      partition.splice(place, Number(isThere), ...(item ? [{ sort, item }] : []));
      if (partition.length > 0) partitions.set(hash, partition);
      else partitions.delete(hash);
    },

    /** A stretch in order, or against it. `from` and `to` are included, and so is what follows `to` in a sort key. */
    stretch: (hash: string, from: string, to: string): Fields[] => {
      const partition = partitions.get(hash) ?? [];
      return partition.slice(placeOf(partition, from), placeOf(partition, `${to}\uffff`)).map(({ item }) => item);
    },

    all: (): readonly Fields[] => {
      whole ??= [...partitions.values()].flatMap((partition) => partition.map(({ item }) => item));
      return whole;
    },
  };
};
