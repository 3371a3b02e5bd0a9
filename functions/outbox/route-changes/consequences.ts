import type { Carried, ChangePattern, Consequence, ImagePattern } from '../../../shared/work/outbox.ts';
import type { Change } from '../../../shared/work/stream-reader.ts';

type Image = NonNullable<Change['after']>;

const fits = (image: Image | undefined, pattern: ImagePattern): boolean =>
  image !== undefined &&
  Object.entries(pattern).every(([field, wanted]) => {
    const value = image[field];
    if (wanted === 'set' || wanted === 'unset') return (value !== undefined) === (wanted === 'set');
    return typeof value === 'string' && wanted.includes(value);
  });

const isOf = ({ before, after }: Change, { isNew, was, is, becomes = {} }: ChangePattern): boolean =>
  fits(after, is) &&
  (!isNew || before === undefined) &&
  (!was || fits(before, was)) &&
  // Without fields it would fit what was there before.
  (Object.keys(becomes).length === 0 || (fits(after, becomes) && !fits(before, becomes)));

const keyOf = ({ PK, SK }: Image): string => `${PK} ${SK}`;

/** Items as the last of these changes left them. */
export const latestOf = (changes: readonly Change[]): ReadonlyMap<string, Image> =>
  new Map(changes.flatMap(({ after }) => (after ? [[keyOf(after), after] as const] : [])));

const carriedFrom = (image: Image, carried: Carried): Record<string, unknown> =>
  Object.fromEntries(Object.entries(carried).map(([field, attribute]) => [field, image[attribute]]));

/** The jobs that follow from a change. They carry when it was written, so a repetition gives the same jobs. `latest`: the items of its batch. */
export const jobsOf = (change: Change, row: Consequence, latest: ReadonlyMap<string, Image>): object[] => {
  const { when, onlyWhile = {}, kind, carries, was, copies = 1 } = row;
  const { before, after, atMs } = change;
  if (!after || ![when].flat().some((pattern) => isOf(change, pattern))) return [];
  if (!fits(latest.get(keyOf(after)), onlyWhile)) return [];
  const job = {
    ...(kind !== undefined && { kind }),
    ...carriedFrom(after, carries),
    ...(before && was && { before: carriedFrom(before, was) }),
    atMs,
  };
  return Array.from({ length: copies }, () => job);
};
