import { openPartitions } from './partitions.ts';
import type { Fields } from './value.ts';

/** The indexes of the table, and whether they hold whole items. */
export const indexes = [
  { name: 'GSI1', hash: 'GSI1PK', sort: 'GSI1SK', isWhole: true },
  { name: 'GSI2', hash: 'GSI2PK', sort: 'GSI2SK', isWhole: false },
] as const;

/** Below every character of a key. */
export const separator = '\0';

type Index = (typeof indexes)[number];

const placeIn = (
  { hash, sort }: Index,
  id: string,
  item: Fields | undefined,
): readonly [string, string] | undefined => {
  const [hashValue, sortValue] = [item?.[hash], item?.[sort]];
  return typeof hashValue === 'string' && typeof sortValue === 'string'
    ? [hashValue, `${sortValue}${separator}${id}`]
    : undefined;
};

const entryIn = ({ hash, sort, isWhole }: Index, item: Fields): Fields => {
  const { PK = '', SK = '', [hash]: hashValue = '', [sort]: sortValue = '' } = item;
  return isWhole ? item : { PK, SK, [hash]: hashValue, [sort]: sortValue };
};

/** The entries of all items in the indexes. */
export const openIndexes = () => {
  const entries = new Map<string, ReturnType<typeof openPartitions>>(
    indexes.map(({ name }) => [name, openPartitions()]),
  );
  const known = new Map<string, { readonly item: Fields | undefined; readonly sequence: number }>();

  const of = (name: string) => {
    const index = entries.get(name);
    if (!index) throw new Error(`the table has no index ${name}`);
    return index;
  };

  return {
    of,

    /** Puts the entries of an item where this write left them, unless those of a later write are there already. */
    set: (PK: string, SK: string, item: Fields | undefined, sequence: number): void => {
      const id = `${PK}${separator}${SK}`;
      const before = known.get(id);
      if (before && before.sequence > sequence) return;
      for (const index of indexes) {
        const [was, is] = [placeIn(index, id, before?.item), placeIn(index, id, item)];
        if (was) of(index.name).set(...was, undefined);
        if (is && item) of(index.name).set(...is, entryIn(index, item));
      }
      known.set(id, { item, sequence });
    },
  };
};
