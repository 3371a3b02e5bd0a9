import * as z from 'zod';
import { onceFor } from '../../shared/kit/once-for.ts';

const texts = z.union([z.string(), z.array(z.string())]).transform((one) => [one].flat());

/** A statement of an IAM policy. An element that is not evaluated here is an error. */
export const statementSchema = z.strictObject({
  Sid: z.string().optional(),
  Effect: z.enum(['Allow', 'Deny']),
  Action: texts,
  Resource: texts,
  Condition: z.record(z.string(), z.record(z.string(), texts)).default({}),
});

export type Statement = z.output<typeof statementSchema>;

/** One permission that a call requires. */
export interface Access {
  /** `dynamodb:PutItem`. */
  readonly action: string;
  readonly resource: string;
  /** The values of a condition key, for example `dynamodb:LeadingKeys`; undefined when the call has none. */
  valuesOf?(key: string): readonly string[] | undefined;
}

type Test = (value: string) => boolean;
type Check = (access: Access) => boolean;

/** `*` is any text, and `?` any character. Kept, because the policies of a hundred functions have the same few patterns. */
const likeWith = (flags: string) =>
  onceFor((pattern): Test => {
    const escaped = pattern
      .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.');
    const expression = new RegExp(`^${escaped}$`, flags);
    return (value) => expression.test(value);
  });
const like = likeWith('s');
const likeInAnyCase = likeWith('i');
const equals =
  (wanted: string): Test =>
  (value) =>
    value === wanted;

const anyOf = (tests: readonly Test[]): Test => {
  return (value) => tests.some((test) => test(value));
};

/** What one value of a policy accepts. An operator with `Not` accepts what none of its values does. */
const operators: Readonly<Record<string, (wanted: string) => Test>> = {
  StringEquals: equals,
  StringEqualsIgnoreCase: (wanted) => (value) => value.toLowerCase() === wanted.toLowerCase(),
  StringLike: like,
  ArnEquals: like,
  ArnLike: like,
  Bool: (wanted) => (value) => value.toLowerCase() === wanted.toLowerCase(),
};

const operatorPattern = /^(?:(ForAllValues|ForAnyValue):)?(String|Arn)?(Not)?(\w+?)(IfExists)?$/;

/** @throws Error for an operator that is not known */
const checkOf = (operator: string, key: string, wanted: readonly string[]): Check => {
  const valuesIn = (access: Access) => access.valuesOf?.(key);
  if (operator === 'Null') return (access) => (valuesIn(access) === undefined) === wanted.includes('true');
  const [, quantity, kind = '', not, verb, ifExists] = operatorPattern.exec(operator) ?? [];
  const make = operators[`${kind}${verb}`];
  if (!make) throw new Error(`The policy operator ${operator} is not known.`);
  const accepted = anyOf(wanted.map((one) => make(one)));
  const test: Test = not ? (value) => !accepted(value) : accepted;
  if (quantity === 'ForAllValues') return (access) => (valuesIn(access) ?? []).every(test);
  if (quantity === 'ForAnyValue') return (access) => (valuesIn(access) ?? []).some(test);
  const isMetWithoutValue = Boolean(not || ifExists);
  return (access) => {
    const values = valuesIn(access);
    return values === undefined ? isMetWithoutValue : values.every(test);
  };
};

const statementCheck = ({ Action, Resource, Condition }: Statement): Check => {
  const isAction = anyOf(Action.map((action) => likeInAnyCase(action)));
  const isResource = anyOf(Resource.map((resource) => like(resource)));
  const conditions = Object.entries(Condition).flatMap(([operator, keys]) =>
    Object.entries(keys).map(([key, wanted]) => checkOf(operator, key, wanted)),
  );
  return (access) =>
    isAction(access.action) && isResource(access.resource) && conditions.every((isMet) => isMet(access));
};

/**
 * Whether the statements permit an access, as IAM decides: one of them must allow it, and none deny it.
 * @throws Error for a condition that cannot be evaluated
 */
export const compilePolicy = (statements: readonly Statement[]): Check => {
  const checksWith = (effect: Statement['Effect']) =>
    statements.filter(({ Effect }) => Effect === effect).map(statementCheck);
  const [allows, denials] = [checksWith('Allow'), checksWith('Deny')];
  return (access) => allows.some((allow) => allow(access)) && !denials.some((deny) => deny(access));
};
