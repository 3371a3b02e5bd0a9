import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { instantText, integerText, verbatimObject, withRules } from './fields.ts';

describe('integerText', () => {
  const limit = integerText({ from: 1, to: 100 });

  it.each([
    ['1', 1],
    ['100', 100],
    ['007', 7],
  ])('reads %s', (sent, number) => {
    expect(limit.parse(sent)).toBe(number);
  });

  it.each(['0', '101', '-1', '', ' 1', '1.0', '1e1', '0x1', 'ten', '９', '9'.repeat(16)])('refuses "%s"', (sent) => {
    expect(limit.safeParse(sent).success).toBe(false);
  });

  it('has no default maximum', () => {
    expect(integerText({ from: 0 }).parse('999999999999999')).toBe(999_999_999_999_999);
  });
});

describe('instantText', () => {
  it('reads ISO 8601 and refuses other formats', () => {
    expect(instantText.parse('2026-11-20T12:00:00+06:00')).toBe(Date.UTC(2026, 10, 20, 6));
    expect(instantText.safeParse('yesterday').success).toBe(false);
  });
});

describe('verbatimObject', () => {
  it.each([
    '{}',
    '{"b":1,"a":2}',
    '{"__proto__":{"x":1},"constructor":null}',
    '{"n":1e+21,"deep":[[{}]]}',
    '{"\\ud800":""}',
  ])('gives back %s', (json) => {
    expect(JSON.stringify(verbatimObject.parse(JSON.parse(json)))).toBe(json);
  });

  it.each(['null', '[]', '"x"', '1', 'true'])('refuses %s', (json) => {
    expect(verbatimObject.safeParse(JSON.parse(json)).success).toBe(false);
  });
});

describe('withRules', () => {
  const schema = withRules(z.object({ a: z.string(), b: z.string().optional(), c: z.number().optional() }), [
    { field: 'b', what: 'must not be a', isBroken: ({ a, b }) => a === b },
    {
      field: 'c',
      what: 'needs b',
      isBroken: ({ b, c }) => c !== undefined && b === undefined,
      code: 'invalid_recipient',
    },
  ]);
  const issuesOf = (value: unknown) =>
    (schema.safeParse(value).error?.issues ?? []).map(({ path, message }) => `${String(path[0])}: ${message}`);

  it('accepts a value that follows every rule', () => {
    expect(schema.parse({ a: 'x', b: 'y', c: 1 })).toEqual({ a: 'x', b: 'y', c: 1 });
  });

  it('names every broken rule, also beside an invalid field', () => {
    expect(issuesOf({ a: 'x', b: 'x' })).toEqual(['b: must not be a']);
    expect(issuesOf({ c: 1 })).toEqual([expect.stringMatching(/^a: /), 'b: must not be a', 'c: needs b']);
  });

  it('does not apply rules to an invalid field', () => {
    expect(issuesOf({ a: 'x', c: 'x' })).toEqual([expect.stringMatching(/^c: /)]);
  });
});
