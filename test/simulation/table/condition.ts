import type { Condition, Operand, Path, Step } from './read-expression.ts';
import { compared, type Fields, fieldOf, isEqual, isFields, isList, typeOf, type Value } from './value.ts';

/** What the placeholders of a call stand for. */
export interface Placeholders {
  readonly names: Readonly<Record<string, string>>;
  readonly values: Fields;
}

/** The path with the names of its placeholders. */
export const namedPath = (path: Path, { names }: Placeholders): Path =>
  path.map((step) => (typeof step === 'string' && step.startsWith('#') ? (names[step] ?? step) : step));

const stepInto = (value: Value | undefined, step: Step): Value | undefined => {
  if (typeof step === 'number') return isList(value) ? value[step] : undefined;
  return isFields(value) ? fieldOf(value, step) : undefined;
};

export const valueAt = (item: Fields | undefined, path: Path, placeholders: Placeholders): Value | undefined =>
  namedPath(path, placeholders).reduce<Value | undefined>(stepInto, item);

const sizeOf = (value: Value | undefined): number | undefined => {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (value instanceof Uint8Array || isList(value)) return value.length;
  if (value instanceof Set) return value.size;
  return isFields(value) ? Object.keys(value).length : undefined;
};

export const operandOf = (
  operand: Operand,
  item: Fields | undefined,
  placeholders: Placeholders,
): Value | undefined => {
  if (operand.kind === 'value') return placeholders.values[operand.name];
  const found = valueAt(item, operand.path, placeholders);
  return operand.kind === 'size' ? sizeOf(found) : found;
};

/** By the sign of the comparison. */
const orders: Readonly<Record<string, (sign: number) => boolean>> = {
  '<': (sign) => sign < 0,
  '<=': (sign) => sign <= 0,
  '>': (sign) => sign > 0,
  '>=': (sign) => sign >= 0,
};

const isTrue = (by: string, left: Value | undefined, right: Value | undefined): boolean => {
  if (by === '<>') return left === undefined || right === undefined || !isEqual(left, right);
  if (left === undefined || right === undefined) return false;
  if (by === '=') return isEqual(left, right);
  const sign = compared(left, right);
  return sign !== undefined && orders[by]?.(sign) === true;
};

const contains = (value: Value, part: Value): boolean => {
  if (typeof value === 'string') return typeof part === 'string' && value.includes(part);
  if (value instanceof Set) return (typeof part === 'string' || typeof part === 'number') && value.has(part);
  return isList(value) && value.some((each) => isEqual(each, part));
};

/** The functions of a value that is there and of an operand. */
const calls: Readonly<Record<string, (value: Value, operand: Value) => boolean>> = {
  contains,
  attribute_type: (value, type) => typeOf(value) === type,
  begins_with: (value, start) => typeof value === 'string' && typeof start === 'string' && value.startsWith(start),
};

/** Whether the condition holds for an item, or for the absence of one. */
export const holds = (condition: Condition, item: Fields | undefined, placeholders: Placeholders): boolean => {
  const valueFor = (operand: Operand) => operandOf(operand, item, placeholders);
  switch (condition.kind) {
    case 'and':
      return holds(condition.left, item, placeholders) && holds(condition.right, item, placeholders);
    case 'or':
      return holds(condition.left, item, placeholders) || holds(condition.right, item, placeholders);
    case 'not':
      return !holds(condition.of, item, placeholders);
    case 'compare':
      return isTrue(condition.by, valueFor(condition.left), valueFor(condition.right));
    case 'between': {
      const value = valueFor(condition.of);
      return isTrue('>=', value, valueFor(condition.from)) && isTrue('<=', value, valueFor(condition.to));
    }
    case 'in': {
      const value = valueFor(condition.of);
      return condition.any.some((each) => isTrue('=', value, valueFor(each)));
    }
    case 'call':
      return isCallTrue(condition, item, placeholders);
  }
};

const isCallTrue = (
  { name, path, operand }: Extract<Condition, { readonly kind: 'call' }>,
  item: Fields | undefined,
  placeholders: Placeholders,
): boolean => {
  const value = valueAt(item, path, placeholders);
  if (name === 'attribute_exists') return value !== undefined;
  if (name === 'attribute_not_exists') return value === undefined;
  const second = operand && operandOf(operand, item, placeholders);
  return value !== undefined && second !== undefined && calls[name]?.(value, second) === true;
};
