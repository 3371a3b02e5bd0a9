import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newId } from '../kit/id.ts';
import { idOfOrderNumber, orderNumberOf } from './order-number.ts';

const id = fc
  .tuple(fc.integer({ min: 0, max: 2 ** 48 - 1 }), fc.uint8Array({ minLength: 10, maxLength: 10 }))
  .map(([timeMs, random]) => newId(timeMs, random));

describe('an order number', () => {
  it('is 25 digits and small letters, and gives the id back', () => {
    fc.assert(
      fc.property(id, (one) => {
        expect(orderNumberOf(one)).toMatch(/^[0-9a-z]{25}$/);
        expect(idOfOrderNumber(orderNumberOf(one))).toBe(one);
      }),
    );
  });

  it('is as unique as the id, also case-insensitively', () => {
    fc.assert(
      fc.property(id, id, (one, other) => {
        const areSame = orderNumberOf(one).toUpperCase() === orderNumberOf(other).toUpperCase();
        expect(areSame).toBe(one === other);
      }),
    );
  });

  it.each([
    '',
    'x',
    orderNumberOf(newId(1)).toUpperCase(),
    `${orderNumberOf(newId(1))}0`,
    ` ${orderNumberOf(newId(1))}`,
    'z'.repeat(25),
    '0'.repeat(25),
    newId(1),
  ])('is not "%s"', (text) => {
    expect(idOfOrderNumber(text)).toBeUndefined();
  });

  it('is never found in what is none', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const found = idOfOrderNumber(text);
        if (found !== undefined) expect(orderNumberOf(found)).toBe(text);
      }),
    );
  });
});
