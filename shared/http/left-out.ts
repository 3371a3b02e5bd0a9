import * as z from 'zod';

type Part = readonly [schema: z.ZodType, value: unknown];
type Shape = Readonly<Record<string, z.ZodType>>;

/** The inner schema of wrapping schemas. */
interface Wrapping {
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
}

/**
 * Removes optional fields that are null from a request's body. A null with a meaning in the schema, and nulls in free-form objects, stay.
 * It changes the value in place, because verbatim objects are recognised by identity.
 */
export const leaveOutNulls = (schema: z.ZodType, value: unknown): void => {
  if (typeof value !== 'object' || value === null) return;
  if (schema instanceof z.ZodObject)
    for (const [name, field] of fieldsOf(schema)) {
      if (valueAt(value, name) === null && isLeftOutByNull(field)) Reflect.deleteProperty(value, name);
    }
  for (const [part, of] of partsOf(schema, value)) leaveOutNulls(part, of);
};

const fieldsOf = (schema: z.ZodObject): [string, z.ZodType][] => Object.entries(schema.shape as Shape);

const valueAt = (value: object, name: string): unknown =>
  Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;

const isLeftOutByNull = (field: z.ZodType): boolean => field._zod.optin !== undefined && !field.safeParse(null).success;

/** The schemas of a value's parts. */
const partsOf = (schema: z.ZodType, value: object): readonly Part[] => {
  if (schema instanceof z.ZodObject) return fieldsOf(schema).map(([name, field]) => [field, valueAt(value, name)]);
  if (schema instanceof z.ZodArray)
    return Array.isArray(value) ? value.map((each: unknown) => [schema.element as z.ZodType, each]) : [];
  if (schema instanceof z.ZodDiscriminatedUnion)
    return (schema.options as readonly z.ZodType[])
      .filter((option) => isMeant(option, value))
      .map((option) => [option, value]);
  const inner = innerOf(schema);
  return inner ? [[inner, value]] : [];
};

/** What a wrapping schema wraps; a transformed one, what it is made from. */
export const innerOf = (schema: z.ZodType): z.ZodType | undefined => {
  const { innerType, in: input } = schema.def as Wrapping;
  return innerType ?? input;
};

/** Whether a value's literals select this option of a union. */
const isMeant = (option: z.ZodType, value: object): boolean =>
  option instanceof z.ZodObject &&
  fieldsOf(option).every(
    ([name, field]) => !(field instanceof z.ZodLiteral) || field.safeParse(valueAt(value, name)).success,
  );
