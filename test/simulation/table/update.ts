import { namedPath, operandOf, type Placeholders, valueAt } from './condition.ts';
import { ValidationException } from './expressions.ts';
import type { Path, Term, Update } from './read-expression.ts';
import { type Fields, fieldOf, isFields, isList, type Value } from './value.ts';

/** DynamoDB refuses the update with a ValidationException. */
export class InvalidUpdate extends Error {}

const invalidPath = 'The document path provided in the update expression is invalid for update';
const missing = 'The provided expression refers to an attribute that does not exist in the item';
const wrongType = 'An operand in the update expression has an incorrect data type';

const termOf = (term: Term, item: Fields, placeholders: Placeholders): Value => {
  switch (term.kind) {
    case 'sum': {
      const [left, right] = [termOf(term.left, item, placeholders), termOf(term.right, item, placeholders)];
      if (typeof left !== 'number' || typeof right !== 'number') throw new InvalidUpdate(wrongType);
      return left + term.sign * right;
    }
    case 'append': {
      const [left, right] = [termOf(term.left, item, placeholders), termOf(term.right, item, placeholders)];
      if (!isList(left) || !isList(right)) throw new InvalidUpdate(wrongType);
      return [...left, ...right];
    }
    case 'default': {
      const value = valueAt(item, term.path, placeholders);
      return value === undefined ? termOf(term.otherwise, item, placeholders) : value;
    }
    default: {
      const value = operandOf(term, item, placeholders);
      if (value === undefined) throw new InvalidUpdate(missing);
      return value;
    }
  }
};

/** The value with another one at the path, or without one there. */
const withAt = (value: Value | undefined, path: Path, changed: Value | undefined): Value | undefined => {
  const [step, ...rest] = path;
  if (step === undefined) return changed;
  if (typeof step === 'number' && isList(value)) {
    const list = [...value];
    const made = withAt(list[step], rest, changed);
    if (made === undefined) list.splice(step, 1);
    else list.splice(step, 1, made);
    return Object.freeze(list);
  }
  if (!isFields(value)) throw new InvalidUpdate(invalidPath);
  const fields = { ...value };
  setAt(fields, path, changed);
  return Object.freeze(fields);
};

const setAt = (fields: Record<string, Value>, [name, ...rest]: Path, changed: Value | undefined): void => {
  if (typeof name !== 'string') throw new InvalidUpdate(invalidPath);
  const made = withAt(fieldOf(fields, name), rest, changed);
  if (made === undefined) delete fields[name];
  else fields[name] = made;
};

const added = (before: Value | undefined, by: Value): Value => {
  if (typeof by === 'number') {
    if (before !== undefined && typeof before !== 'number') throw new InvalidUpdate(wrongType);
    return (before ?? 0) + by;
  }
  if (!(by instanceof Set) || (before !== undefined && !(before instanceof Set))) throw new InvalidUpdate(wrongType);
  return before instanceof Set ? new Set([...before, ...by]) : by;
};

const without = (before: Value | undefined, some: Value): Value | undefined => {
  if (before === undefined) return undefined;
  if (!(before instanceof Set) || !(some instanceof Set)) throw new InvalidUpdate(wrongType);
  const left = new Set([...before].filter((each) => !some.has(each)));
  return left.size > 0 ? left : undefined;
};

/** Later places of a list first, so that removing one does not move the others. */
const fromTheEnd = (a: Path, b: Path): number => {
  const [last, other] = [a.at(-1), b.at(-1)];
  return typeof last === 'number' && typeof other === 'number' ? other - last : 0;
};

/** @throws ValidationException when an update names a place twice, whatever the item */
export const assertApart = ({ set, remove, add, delete: removed }: Update, placeholders: Placeholders): void => {
  const paths = [...[...set, ...add, ...removed].map(({ path }) => path), ...remove].map((path) =>
    namedPath(path, placeholders),
  );
  if (new Set(paths.map(([field]) => field)).size === paths.length) return;
  const texts = paths.map((path) => `${path.join('\n')}\n`);
  const isTwice = texts.some((text, n) => texts.some((other, m) => n !== m && other.startsWith(text)));
  if (isTwice) throw new ValidationException('Two document paths overlap with each other');
};

/** The item after the update. Every operand is read from the item as it was. */
export const updated = (item: Fields, update: Update, placeholders: Placeholders): Fields => {
  const named = (path: Path) => namedPath(path, placeholders);
  const valueNamed = (name: string): Value => {
    const value = placeholders.values[name];
    if (value === undefined) throw new InvalidUpdate(`${name} is not defined`);
    return value;
  };
  const changes = [
    ...update.set.map(({ path, to }) => ({ path: named(path), value: termOf(to, item, placeholders) })),
    ...update.add.map(({ path, value }) => ({
      path: named(path),
      value: added(valueAt(item, path, placeholders), valueNamed(value)),
    })),
    ...update.delete.map(({ path, value }) => ({
      path: named(path),
      value: without(valueAt(item, path, placeholders), valueNamed(value)),
    })),
  ];
  const removals = update.remove.map(named).toSorted(fromTheEnd);
  const fields = { ...item };
  for (const { path, value } of changes) setAt(fields, path, value);
  for (const path of removals) setAt(fields, path, undefined);
  // Deleting a field leaves an object that is slow to read.
  return Object.freeze(removals.length > 0 ? { ...fields } : fields);
};
