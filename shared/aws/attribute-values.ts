import { InternalError } from '../kit/internal-error.ts';

/** A value as DynamoDB's JSON has it: one field, named after the type. */
export type AttributeValue = Readonly<Record<string, unknown>>;

const numberText = (value: number): string => {
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
    throw new InternalError('DynamoDB cannot keep this number', { value });
  return String(value);
};

const setOf = (values: ReadonlySet<unknown>): AttributeValue => {
  const all = [...values];
  if (all.length === 0) throw new InternalError('DynamoDB has no empty sets');
  return all.every((each) => typeof each === 'number') ? { NS: all.map(numberText) } : { SS: all };
};

const isGiven = (value: unknown): boolean => value !== undefined;

const attributeValueOf = (value: unknown): AttributeValue => {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number') return { N: numberText(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  if (value === null) return { NULL: true };
  if (value instanceof Uint8Array) return { B: Buffer.from(value).toString('base64') };
  if (value instanceof Set) return setOf(value);
  if (Array.isArray(value)) return { L: value.filter(isGiven).map(attributeValueOf) };
  if (typeof value === 'object') return { M: attributesOf(value) };
  throw new InternalError('DynamoDB cannot keep this value', { type: typeof value });
};

/** An item, or a part of one, as DynamoDB takes it. Undefined fields are left out. */
export const attributesOf = (item: object): Readonly<Record<string, AttributeValue>> =>
  Object.fromEntries(
    Object.entries(item)
      .filter(([, value]) => isGiven(value))
      .map(([name, value]) => [name, attributeValueOf(value)]),
  );

const readers: Readonly<Record<string, (value: never) => unknown>> = {
  S: (text: string) => text,
  N: Number,
  BOOL: (value: boolean) => value,
  NULL: () => null,
  B: (bytes: string) => new Uint8Array(Buffer.from(bytes, 'base64')),
  SS: (texts: readonly string[]) => new Set(texts),
  NS: (numbers: readonly string[]) => new Set(numbers.map(Number)),
  L: (values: readonly AttributeValue[]) => values.map(readValue),
  M: (attributes: Readonly<Record<string, AttributeValue>>) => valuesOf(attributes),
};

const readValue = (attribute: AttributeValue): unknown => {
  for (const type in attribute) {
    const read = readers[type];
    if (read) return read(attribute[type] as never);
  }
  throw new InternalError('DynamoDB answered with an unknown type', { types: Object.keys(attribute).join() });
};

/** An item, or a part of one, as it was before it was given to DynamoDB. */
export const valuesOf = (attributes: Readonly<Record<string, AttributeValue>>): Readonly<Record<string, unknown>> => {
  const values: Record<string, unknown> = {};
  for (const name in attributes) {
    const attribute = attributes[name];
    if (attribute) values[name] = readValue(attribute);
  }
  return values;
};
