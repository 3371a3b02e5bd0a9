import type { Placeholders } from './condition.ts';
import { readCondition, readProjection, readUpdate } from './read-expression.ts';
import { type Fields, fieldsOf } from './value.ts';

/** DynamoDB refuses the call. */
export class ValidationException extends Error {
  override readonly name = 'ValidationException';
  readonly $metadata = { httpStatusCode: 400 };
}

/** A field of a key. */
export const textAt = (fields: Fields, name: string): string => {
  const value = fields[name];
  if (typeof value !== 'string' || value === '') throw new ValidationException(`the key ${name} must be a text`);
  return value;
};

/** The expressions of a call, and their placeholders. */
export interface Expressions {
  readonly ConditionExpression?: string | undefined;
  readonly UpdateExpression?: string | undefined;
  readonly ProjectionExpression?: string | undefined;
  readonly KeyConditionExpression?: string | undefined;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>> | undefined;
}

const none: ReadonlySet<string> = new Set();

/** The placeholders that each expression of a call uses. */
const usedIn = ({
  ConditionExpression,
  UpdateExpression,
  ProjectionExpression,
  KeyConditionExpression,
}: Expressions): readonly ReadonlySet<string>[] => [
  ConditionExpression === undefined ? none : readCondition(ConditionExpression).placeholders,
  KeyConditionExpression === undefined ? none : readCondition(KeyConditionExpression).placeholders,
  UpdateExpression === undefined ? none : readUpdate(UpdateExpression).placeholders,
  ProjectionExpression === undefined ? none : readProjection(ProjectionExpression).placeholders,
];

const wrong = (name: string) => new ValidationException(`not used or not defined in an expression: ${name}`);

/** What the placeholders of a call stand for. Each must be used, and each used one must stand for something. */
export const placeholdersOf = (input: Expressions): Placeholders => {
  const names = input.ExpressionAttributeNames ?? {};
  const values = fieldsOf(input.ExpressionAttributeValues ?? {});
  const used = usedIn(input);
  for (const all of used)
    for (const each of all) if (!Object.hasOwn(names, each) && !Object.hasOwn(values, each)) throw wrong(each);
  for (const given of [names, values])
    for (const each of Object.keys(given)) if (!used.some((all) => all.has(each))) throw wrong(each);
  return { names, values };
};
