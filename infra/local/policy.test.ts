import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Access, compilePolicy, type Statement } from './policy.ts';

const statement = (more: Partial<Statement> = {}): Statement => ({
  Effect: 'Allow',
  Action: ['dynamodb:GetItem'],
  Resource: ['table/t'],
  Condition: {},
  ...more,
});

const accessOf = (keys: Readonly<Record<string, readonly string[]>> = {}, more: Partial<Access> = {}): Access => ({
  action: 'dynamodb:GetItem',
  resource: 'table/t',
  valuesOf: (key) => keys[key],
  ...more,
});

const permits = (statements: readonly Statement[], access: Access) => compilePolicy(statements)(access);

describe('without conditions', () => {
  it.each<[string, Partial<Statement>, boolean]>([
    ['the same action and resource', {}, true],
    ['an action in other letters', { Action: ['DynamoDB:GETItem'] }, true],
    ['a pattern of actions', { Action: ['dynamodb:Get*'] }, true],
    ['a pattern of resources', { Resource: ['table/?'] }, true],
    ['one of several', { Action: ['dynamodb:Query', 'dynamodb:GetItem'], Resource: ['x', '*'] }, true],
    ['another action', { Action: ['dynamodb:PutItem'] }, false],
    ['another resource', { Resource: ['table/t/index/*'] }, false],
    ['a resource in other letters', { Resource: ['table/T'] }, false],
    ['a dot, which is no pattern', { Resource: ['table/.'] }, false],
  ])('a statement of %s decides', (_, more, isPermitted) => {
    expect(permits([statement(more)], accessOf())).toBe(isPermitted);
  });

  it('nothing is permitted without a statement, and a denial overrides every permission', () => {
    expect(permits([], accessOf())).toBe(false);
    expect(permits([statement(), statement({ Effect: 'Deny' })], accessOf())).toBe(false);
  });
});

describe('the condition', () => {
  const key = 'dynamodb:LeadingKeys';
  it.each<[string, readonly string[], readonly string[] | undefined, boolean]>([
    ['ForAllValues:StringLike', ['A#*', 'B'], ['A#1', 'B'], true],
    ['ForAllValues:StringLike', ['A#*'], ['A#1', 'B'], false],
    ['ForAllValues:StringLike', ['A#*'], undefined, true],
    ['ForAllValues:StringLike', ['A#??'], ['A#1\n'], true],
    ['ForAllValues:StringLike', ['A#??'], ['A#1'], false],
    ['ForAllValues:StringEquals', ['A'], ['A', 'A'], true],
    ['ForAllValues:StringEquals', ['A*'], ['AB'], false],
    ['ForAllValues:StringNotLike', ['A*'], ['B', 'C'], true],
    ['ForAllValues:StringNotLike', ['A*'], ['B', 'AC'], false],
    ['ForAnyValue:StringEquals', ['A'], ['B', 'A'], true],
    ['ForAnyValue:StringEquals', ['A'], undefined, false],
    ['StringEquals', ['A', 'B'], ['B'], true],
    ['StringEquals', ['A'], ['B'], false],
    ['StringEquals', ['A'], undefined, false],
    ['StringEqualsIfExists', ['A'], undefined, true],
    ['StringEqualsIfExists', ['A'], ['B'], false],
    ['StringNotEquals', ['A'], ['B'], true],
    ['StringNotEquals', ['A'], ['A'], false],
    ['StringNotEquals', ['A'], undefined, true],
    ['StringEqualsIgnoreCase', ['a'], ['A'], true],
    ['ArnLike', ['arn:*:x'], ['arn:aws:x'], true],
    ['Bool', ['true'], ['True'], true],
    ['Null', ['true'], undefined, true],
    ['Null', ['true'], ['x'], false],
    ['Null', ['false'], ['x'], true],
  ])('%s %j on %j is %s', (operator, wanted, values, isMet) => {
    const conditional = statement({ Condition: { [operator]: { [key]: [...wanted] } } });
    expect(permits([conditional], accessOf(values && { [key]: values }))).toBe(isMet);
  });

  it('must be met in all its operators and keys', () => {
    const Condition = { StringEquals: { a: ['1'], b: ['2'] }, StringLike: { c: ['*'] } };
    expect(permits([statement({ Condition })], accessOf({ a: ['1'], b: ['2'], c: ['3'] }))).toBe(true);
    expect(permits([statement({ Condition })], accessOf({ a: ['1'], b: ['0'], c: ['3'] }))).toBe(false);
    expect(permits([statement({ Condition })], accessOf({ a: ['1'], b: ['2'] }))).toBe(false);
  });

  it('that is not known is an error', () => {
    expect(() => compilePolicy([statement({ Condition: { DateLessThan: { a: ['1'] } } })])).toThrow('DateLessThan');
  });
});

it('removing a permission, or one of its values, never permits more', () => {
  const word = fc.constantFrom('a', 'b', 'ab', '*', 'a*', '?');
  const words = fc.array(word, { maxLength: 3 });
  const allow = fc
    .record({
      Action: words,
      Resource: words,
      Condition: fc.constantFrom<Statement['Condition']>({}, { 'ForAllValues:StringLike': { k: ['a*'] } }),
    })
    .map((more) => statement(more));
  const text = fc.constantFrom('a', 'b', 'ab', 'c');
  fc.assert(
    fc.property(fc.array(allow), fc.nat(), text, text, fc.array(text), (statements, nth, action, resource, k) => {
      const access = accessOf({ k }, { action, resource });
      const removed = statements.filter((_, n) => n !== nth % Math.max(1, statements.length));
      const narrowed = statements.map((one, n) =>
        n === nth % statements.length ? { ...one, Action: one.Action.slice(1) } : one,
      );
      for (const less of [removed, narrowed]) {
        if (permits(less, access)) expect(permits(statements, access)).toBe(true);
      }
    }),
  );
});
