import type { ChangePattern, ImagePattern } from '../shared/work/outbox.ts';

/** Lambda's event filter on stream records; fields are texts. */
export interface RecordFilter {
  readonly eventName: readonly string[];
  readonly oldImage?: Readonly<Record<string, readonly string[]>>;
  readonly newImage?: Readonly<Record<string, readonly string[]>>;
}

const textsIn = (pattern: ImagePattern): [string, readonly string[]][] =>
  Object.entries(pattern).flatMap(([field, wanted]) =>
    wanted === 'set' || wanted === 'unset' ? [] : [[field, wanted] as const],
  );

const unionOf = (lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())].sort();

/**
 * Filters that let these patterns through. A mapping may have five, so there is one for each kind of item, and one for all kinds of which every
 * item passes. They are wider than the patterns: of a field that several patterns name, each may have any of their texts.
 */
export const filtersOf = (patterns: readonly ChangePattern[]): RecordFilter[] =>
  [...Map.groupBy(filtersByKind(patterns), wayOf).values()].map(([filter, ...others]) => {
    const { eventName = [], newImage = {} } = filter ?? {};
    const entity = unionOf([filter, ...others].map((each) => each?.newImage?.['entity'] ?? []));
    return { eventName, newImage: { ...newImage, entity } };
  });

/** What is the same of filters that differ in their kind of item only, where that is all they say. */
const wayOf = ({ eventName, newImage }: RecordFilter): string =>
  JSON.stringify(Object.keys(newImage ?? {}).length === 1 ? eventName : newImage);

const filtersByKind = (patterns: readonly ChangePattern[]): RecordFilter[] =>
  [...Map.groupBy(patterns, ({ is }) => is.entity[0]).values()].map((alike) => {
    const images = alike.map(({ is, becomes = {} }) => new Map([...textsIn(is), ...textsIn(becomes)]));
    const [first] = images;
    const shared = [...(first?.keys() ?? [])].filter((field) => images.every((image) => image.has(field)));
    return {
      eventName: alike.every(({ isNew }) => isNew) ? ['INSERT'] : ['INSERT', 'MODIFY'],
      newImage: Object.fromEntries(
        shared.map((field) => [field, unionOf(images.map((image) => image.get(field) ?? []))]),
      ),
    };
  });
