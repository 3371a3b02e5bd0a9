import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { amountText, timeText } from './money.ts';

it.each([
  ['en', 600_000, 'BDT', '৳6,000.00'],
  ['bn', 600_000, 'BDT', '৳৬,০০০.০০'],
  ['en', 12_345_678, 'BDT', '৳1,23,456.78'],
  ['bn', 12_345_678, 'BDT', '৳১,২৩,৪৫৬.৭৮'],
  ['en', 1, 'BDT', '৳0.01'],
  ['en', 999_999_999_999, 'BDT', '৳9,99,99,99,999.99'],
  ['bn', 999_999_999_999, 'BDT', '৳৯,৯৯,৯৯,৯৯,৯৯৯.৯৯'],
  ['en', 1_500, 'JPY', '¥1,500'],
  ['en', 1_234, 'KWD', 'KWD 1.234'],
] as const)('writes in %s %i of %s as %s', (language, amountMinor, currency, text) => {
  expect(amountText(language, amountMinor, currency).replaceAll('\u00a0', ' ')).toBe(text);
});

it('loses no unit of any amount', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999_999_999_999 }), (amountMinor) => {
      expect(Number(amountText('en', amountMinor, 'BDT').replace(/\D/g, ''))).toBe(amountMinor);
    }),
  );
});

it('puts the sign in front and groups by lakh, in both languages', () => {
  /** Written apart from what is tested: three digits, then pairs. */
  const grouped = (whole: string): string => {
    const pairs = whole.slice(0, -3);
    const groups = [
      ...(pairs.length % 2 ? [pairs.slice(0, 1)] : []),
      ...(pairs.slice(pairs.length % 2).match(/../g) ?? []),
    ];
    return [...groups, whole.slice(-3)].join(',');
  };
  const inBangla = (text: string) => text.replace(/\d/g, (digit) => '০১২৩৪৫৬৭৮৯'.charAt(Number(digit)));
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999_999_999_999 }), (amountMinor) => {
      const digits = String(amountMinor).padStart(3, '0');
      const text = `৳${grouped(digits.slice(0, -2))}.${digits.slice(-2)}`;
      expect(amountText('en', amountMinor, 'BDT')).toBe(text);
      expect(amountText('bn', amountMinor, 'BDT')).toBe(inBangla(text));
    }),
  );
});

it('says which clock a time is of', () => {
  expect(timeText('en', Date.parse('2026-11-20T20:30:00Z'))).toBe('21 November 2026 at 02:30 GMT+6');
  expect(timeText('bn', Date.parse('2026-11-20T20:30:00Z'))).toContain('২১ নভেম্বর');
});
