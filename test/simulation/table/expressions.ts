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

/** What the placeholders of a call stand for. Each must be used, and each used one must stand for something. */
export const placeholdersOf = (input: Expressions): Placeholders => {
  const { ConditionExpression, UpdateExpression, ProjectionExpression, KeyConditionExpression } = input;
  const placeholders = {
    names: input.ExpressionAttributeNames ?? {},
    values: fieldsOf(input.ExpressionAttributeValues ?? {}),
  };
  const used = [
    ...(ConditionExpression === undefined ? [] : readCondition(ConditionExpression).placeholders),
    ...(KeyConditionExpression === undefined ? [] : readCondition(KeyConditionExpression).placeholders),
    ...(UpdateExpression === undefined ? [] : readUpdate(UpdateExpression).placeholders),
    ...(ProjectionExpression === undefined ? [] : readProjection(ProjectionExpression).placeholders),
  ];
  const given = [...Object.keys(placeholders.names), ...Object.keys(placeholders.values)];
  const wrong = [
    ...used.filter((each) => !(each in placeholders.names || each in placeholders.values)),
    ...given.filter((each) => !used.includes(each)),
  ];
  if (wrong.length > 0) throw new ValidationException(`not used or not defined in an expression: ${wrong.join()}`);
  return placeholders;
};
