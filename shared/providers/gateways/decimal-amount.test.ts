import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalOf, minorOf } from './decimal-amount.ts';

describe('an amount as gateways write it', () => {
  it('has two digits behind the point, and comes back as it went', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999_999 }), (amountMinor) => {
        expect(decimalOf(amountMinor)).toMatch(/^\d+\.\d{2}$/);
        expect(minorOf(decimalOf(amountMinor))).toBe(amountMinor);
      }),
    );
  });

  it.each([
    [1, '0.01'],
    [99, '0.99'],
    [100, '1.00'],
    [600_000, '6000.00'],
    [999_999_999_999, '9999999999.99'],
  ])('writes %i as %s', (amountMinor, text) => {
    expect(decimalOf(amountMinor)).toBe(text);
  });

  it.each([
    ['10', 1_000],
    ['10.5', 1_050],
    ['10.50', 1_050],
    ['10.500', 1_050],
    ['0.29', 29],
    ['1.15', 115],
    ['010.00', 1_000],
    ['9999999999999.99', 999_999_999_999_999],
  ])('reads %s', (text, amountMinor) => {
    expect(minorOf(text)).toBe(amountMinor);
  });

  it.each(['', ' ', '10.', '.5', '10.505', '10.001', '-10', '+10', '1,000.00', '1e3', '10.00 ', '১০', 'NaN', '0x10'])(
    'finds no amount in "%s"',
    (text) => {
      expect(minorOf(text)).toBeUndefined();
    },
  );

  it('never maps two amounts to one', () => {
    const decimal = fc.tuple(fc.integer({ min: 0, max: 9_999_999 }), fc.integer({ min: 0, max: 9_999 }));
    fc.assert(
      fc.property(decimal, ([whole, fraction]) => {
        const text = `${whole}.${String(fraction).padStart(4, '0')}`;
        const exact = fraction % 100 === 0 ? whole * 100 + fraction / 100 : undefined;
        expect(minorOf(text)).toBe(exact);
      }),
    );
  });
});
