/** A value of an item, as the document client of DynamoDB has it. Stored values are frozen and shared: a reader that changed one would throw. */
export type Value =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | ReadonlySet<string | number>
  | readonly Value[]
  | { readonly [name: string]: Value };

export type Fields = { readonly [name: string]: Value };

export const isList = (value: Value | undefined): value is readonly Value[] => Array.isArray(value);

export const isFields = (value: Value | undefined): value is Fields =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Set) &&
  !(value instanceof Uint8Array);

/** A frozen copy of what a caller sends, without undefined fields, as the document client writes it. */
export const stored = (sent: unknown): Value => {
  if (sent === null || typeof sent === 'string' || typeof sent === 'number' || typeof sent === 'boolean') return sent;
  if (sent instanceof Uint8Array) return Uint8Array.from(sent);
  if (sent instanceof Set) return setOf(sent);
  if (Array.isArray(sent)) return Object.freeze(sent.filter((each) => each !== undefined).map(stored));
  if (typeof sent === 'object') return fieldsOf(sent);
  throw new Error(`DynamoDB stores no ${typeof sent}`);
};

const setOf = (sent: ReadonlySet<unknown>): Value => {
  if (sent.size === 0) throw new Error('DynamoDB stores no empty set');
  return new Set([...sent].map((each) => (typeof each === 'number' ? each : String(each))));
};

export const fieldsOf = (sent: object): Fields => {
  const fields: Record<string, Value> = {};
  for (const name of Object.keys(sent)) {
    const value: unknown = Reflect.get(sent, name);
    if (value !== undefined) fields[name] = stored(value);
  }
  return Object.freeze(fields);
};

/** What the fields have under a name: nothing that every object inherits. */
export const fieldOf = (fields: Fields, name: string): Value | undefined =>
  Object.hasOwn(fields, name) ? fields[name] : undefined;

/** DynamoDB's name of a value's type. */
export const typeOf = (value: Value): string => {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return 'S';
  if (typeof value === 'number') return 'N';
  if (typeof value === 'boolean') return 'BOOL';
  if (value instanceof Uint8Array) return 'B';
  if (value instanceof Set) return typeof value.values().next().value === 'number' ? 'NS' : 'SS';
  return Array.isArray(value) ? 'L' : 'M';
};

export const isEqual = (a: Value, b: Value): boolean => {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || typeOf(a) !== typeOf(b)) return false;
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b) === 0;
  if (a instanceof Set && b instanceof Set) return a.size === b.size && [...a].every((each) => b.has(each));
  if (isList(a) && isList(b)) return a.length === b.length && a.every((each, n) => isEqualOr(each, b[n]));
  if (!isFields(a) || !isFields(b)) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => isEqualOr(a[name], fieldOf(b, name)));
};

const isEqualOr = (a: Value | undefined, b: Value | undefined): boolean =>
  a !== undefined && b !== undefined && isEqual(a, b);

/** Below, at or above zero; undefined for values that DynamoDB does not order. */
export const compared = (a: Value, b: Value): number | undefined => {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : Number(a > b);
  return a instanceof Uint8Array && b instanceof Uint8Array ? Buffer.compare(a, b) : undefined;
};
