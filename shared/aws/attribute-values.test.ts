import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attributesOf, valuesOf } from './attribute-values.ts';

const bytes = fc.uint8Array({ maxLength: 20 });
const sets = fc.oneof(
  fc.uniqueArray(fc.string(), { minLength: 1 }).map((all) => new Set(all)),
  fc.uniqueArray(fc.integer(), { minLength: 1 }).map((all) => new Set(all)),
);
const numbers = fc.oneof(
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true, max: 1e15, min: -1e15 }),
);
const { item } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string(),
    numbers.map((number) => (Object.is(number, -0) ? 0 : number)),
    fc.boolean(),
    fc.constant(null),
    bytes,
    sets,
    fc.array(tie('value'), { maxLength: 4 }),
    tie('item'),
  ),
  item: fc.dictionary(fc.string({ minLength: 1 }), tie('value'), { maxKeys: 5, noNullPrototype: true }),
}));

/** Bytes are a text in JSON. */
const overHttp = (attributes: object) => JSON.parse(JSON.stringify(attributes));

describe('an item', () => {
  it('comes back from DynamoDB’s JSON as it was', () => {
    fc.assert(
      fc.property(item, (given) => {
        expect(valuesOf(overHttp(attributesOf(given as object)))).toEqual(given);
      }),
      { seed: 3 },
    );
  });

  it('is what the SDK makes of it', () => {
    const given = { text: 'a', number: 1.5, yes: true, none: null, list: ['a', { b: 1 }], texts: new Set(['x']) };
    expect(attributesOf(given)).toEqual(marshall(given));
    expect(valuesOf(overHttp(marshall(given)))).toEqual(unmarshall(marshall(given)));
  });

  it('has no undefined fields', () => {
    expect(attributesOf({ a: undefined, b: { c: undefined }, d: [undefined, 1] })).toEqual({
      b: { M: {} },
      d: { L: [{ N: '1' }] },
    });
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, new Set(), () => 1, 1n])('cannot have %s', (value) => {
    expect(() => attributesOf({ value })).toThrow('DynamoDB');
  });
});
