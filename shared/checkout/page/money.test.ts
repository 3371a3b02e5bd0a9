import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { amountText, timeText } from './money.ts';

it.each([
  ['en', 600_000, 'BDT', '৳6,000.00'],
  ['bn', 600_000, 'BDT', '৬,০০০.০০৳'],
  ['en', 1, 'BDT', '৳0.01'],
  ['en', 999_999_999_999, 'BDT', '৳9,999,999,999.99'],
  ['bn', 999_999_999_999, 'BDT', '৯,৯৯,৯৯,৯৯,৯৯৯.৯৯৳'],
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

it('says which clock a time is of', () => {
  expect(timeText('en', Date.parse('2026-11-20T20:30:00Z'))).toBe('21 November 2026 at 02:30 GMT+6');
  expect(timeText('bn', Date.parse('2026-11-20T20:30:00Z'))).toContain('২১ নভেম্বর');
});
