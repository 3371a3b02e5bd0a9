import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { namedPath, type Placeholders, valueAt } from './condition.ts';
import { separator } from './indexes.ts';
import { type Condition, type Operand, readCondition, readProjection } from './read-expression.ts';
import { type Fields, fieldOf, fieldsOf, isFields, type Value } from './value.ts';

interface Stretch {
  readonly hash: string;
  readonly from: string;
  readonly to: string;
}

/** The end of all sort keys. */
const last = '\uffff';

const textOf = (operand: Operand, placeholders: Placeholders): string => {
  const value = operand.kind === 'value' ? placeholders.values[operand.name] : undefined;
  if (typeof value !== 'string') throw new Error('a key condition compares with texts');
  return value;
};

/** The stretch of a partition that a key condition asks for: a hash key, alone or with a sort key that is equal or between two. */
export const stretchOf = (expression: string, placeholders: Placeholders): Stretch => {
  const { tree } = readCondition(expression);
  const [left, right] = tree.kind === 'and' ? [tree.left, tree.right] : [tree, undefined];
  if (left.kind !== 'compare' || left.by !== '=') throw new Error(`the simulation cannot answer ${expression}`);
  return { hash: textOf(left.right, placeholders), ...sortOf(right, placeholders) };
};

const sortOf = (tree: Condition | undefined, placeholders: Placeholders) => {
  if (tree === undefined) return { from: '', to: last };
  if (tree.kind === 'compare' && tree.by === '=') {
    const text = textOf(tree.right, placeholders);
    return { from: text, to: text };
  }
  if (tree.kind !== 'between') throw new Error(`the simulation cannot answer a key condition of the kind ${tree.kind}`);
  return { from: textOf(tree.from, placeholders), to: textOf(tree.to, placeholders) };
};

/** The wanted parts of an item. */
export const projected = (item: Fields, expression: string | undefined, placeholders: Placeholders): Fields => {
  if (expression === undefined) return item;
  let parts: Fields = {};
  for (const path of readProjection(expression).tree) {
    const value = valueAt(item, path, placeholders);
    const named = namedPath(path, placeholders);
    if (named.some((step) => typeof step === 'number')) throw new Error('the simulation projects no parts of lists');
    if (value !== undefined) parts = withPart(parts, named.map(String), value);
  }
  return parts;
};

const withPart = (fields: Fields, [name = '', ...rest]: readonly string[], value: Value): Fields => {
  const before = fieldOf(fields, name);
  return { ...fields, [name]: rest.length === 0 ? value : withPart(isFields(before) ? before : {}, rest, value) };
};

/** The place after an item, which may have been deleted since. */
const placeAfter = (all: readonly Fields[], start: Fields, names: readonly string[], isReversed: boolean): number => {
  const placeOf = (item: Fields) => names.map((name) => item[name]).join(separator);
  const at = placeOf(start);
  const place = all.findIndex((item) => (isReversed ? placeOf(item) < at : placeOf(item) > at));
  return place < 0 ? all.length : place;
};

/** One page of a stretch in the order of its sort key. `names`: the keys that say where an item is, in the order that they sort by. */
export const pageOf = (
  stretch: readonly Fields[],
  input: QueryCommandInput,
  names: readonly string[],
  placeholders: Placeholders,
  mostItems = Number.POSITIVE_INFINITY,
) => {
  const isReversed = input.ScanIndexForward === false;
  const all = isReversed ? stretch.toReversed() : stretch;
  const start = input.ExclusiveStartKey && fieldsOf(input.ExclusiveStartKey);
  const rest = start ? all.slice(placeAfter(all, start, names, isReversed)) : all;
  const most = Math.min(input.Limit ?? mostItems, mostItems);
  const page = rest.slice(0, most);
  const end = page.length === most ? page.at(-1) : undefined;
  return {
    ...(input.Select !== 'COUNT' && {
      Items: page.map((item) => projected(item, input.ProjectionExpression, placeholders)),
    }),
    Count: page.length,
    ScannedCount: page.length,
    ...(end && { LastEvaluatedKey: Object.fromEntries(names.map((name) => [name, end[name]])) }),
  };
};
