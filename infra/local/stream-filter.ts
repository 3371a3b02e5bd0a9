type Test = (value: unknown) => boolean;

/** Whether the record passes a `Pattern` of Lambda's `FilterCriteria`. Throws when the pattern is invalid. */
export const matches = (pattern: unknown, record: unknown): boolean => compilePattern(pattern)(record);

/** The pattern compiled for many records. Throws when it is invalid. */
export const compilePattern = (pattern: unknown): Test => {
  if (Array.isArray(pattern)) return anyOf(pattern.map(compileRule));
  if (!isObject(pattern)) throw new Error(`An event filter holds objects and lists of rules, not ${show(pattern)}.`);
  const fields = Object.entries(pattern).map(([name, inner]) => (name === '$or' ? compileOr(inner) : at(name, inner)));
  return (value) => elementsOf(value).some((element) => fields.every((field) => field(element)));
};

const compileOr = (alternatives: unknown): Test => {
  if (Array.isArray(alternatives)) return anyOf(alternatives.map(compilePattern));
  throw new Error(`"$or" in an event filter takes a list, not ${show(alternatives)}.`);
};

const at = (name: string, inner: unknown): Test => {
  const test = compilePattern(inner);
  return (value) => test(isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined);
};

const compileRule = (rule: unknown): Test => {
  if (!isObject(rule)) return (value) => leavesOf(value).includes(rule);
  const [[name, operand] = [], ...more] = Object.entries(rule);
  const operator = name === undefined || more.length > 0 ? undefined : operators[name];
  if (!operator) throw new Error(`${show(rule)} is not a rule of an event filter.`);
  return operator(operand);
};

/** A rule about one leaf. For a list in the record, any element may satisfy it. */
const aboutLeaves =
  (test: (leaf: unknown, operand: unknown) => boolean) =>
  (operand: unknown): Test =>
  (value) =>
    leavesOf(value).some((leaf) => test(leaf, operand));

const aboutStrings = (test: (leaf: string, operand: string) => boolean) =>
  aboutLeaves((leaf, operand) => typeof leaf === 'string' && typeof operand === 'string' && test(leaf, operand));

const operators: Readonly<Record<string, (operand: unknown) => Test>> = {
  prefix: aboutStrings((leaf, start) => leaf.startsWith(start)),
  suffix: aboutStrings((leaf, end) => leaf.endsWith(end)),
  'equals-ignore-case': aboutStrings((leaf, other) => leaf.toLowerCase() === other.toLowerCase()),
  'anything-but': (operand) => {
    const forbidden = anyOf([operand].flat().map(compileRule));
    return (value) => leavesOf(value).some((leaf) => !forbidden(leaf));
  },
  // As on AWS, `exists` is about leaves only: for an object, `exists: false` is true.
  exists: (wanted) => (value) => leavesOf(value).length > 0 === wanted,
  numeric: (operand) => {
    const bounds = compileBounds([operand].flat());
    return (value) => leavesOf(value).some((leaf) => typeof leaf === 'number' && bounds.every((bound) => bound(leaf)));
  },
};

const comparisons: Readonly<Record<string, (number: number, bound: number) => boolean>> = {
  '=': (number, bound) => number === bound,
  '>': (number, bound) => number > bound,
  '>=': (number, bound) => number >= bound,
  '<': (number, bound) => number < bound,
  '<=': (number, bound) => number <= bound,
};

const compileBounds = ([sign, bound, ...more]: unknown[]): ((number: number) => boolean)[] => {
  const comparison = comparisons[String(sign)];
  if (!comparison || typeof bound !== 'number')
    throw new Error(`"numeric" in an event filter takes signs and numbers, not ${show([sign, bound])}.`);
  return [(number) => comparison(number, bound), ...(more.length > 0 ? compileBounds(more) : [])];
};

const anyOf =
  (tests: readonly Test[]): Test =>
  (value) =>
    tests.some((test) => test(value));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const elementsOf = (value: unknown): unknown[] => (Array.isArray(value) && value.length > 0 ? value : [value]);

const leavesOf = (value: unknown): unknown[] =>
  [value].flat(Number.POSITIVE_INFINITY).filter((leaf) => leaf !== undefined && !isObject(leaf));

const show = (value: unknown): string => JSON.stringify(value);
