import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { amountText, clockText, timeText } from './money.ts';

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

it('says the date and the time of day in words, and whose clock it is', () => {
  expect(timeText('en', Date.parse('2026-11-20T20:30:00Z'))).toBe('21 November 2026, 2:30 am (Bangladesh time)');
  expect(timeText('bn', Date.parse('2026-11-20T20:30:00Z'))).toBe('২১ নভেম্বর, ২০২৬, রাত ২:৩০ (বাংলাদেশ সময়)');
});

it.each([
  [0, '12:05 am', 'রাত ১২:০৫'],
  [4, '4:05 am', 'ভোর ৪:০৫'],
  [6, '6:05 am', 'সকাল ৬:০৫'],
  [11, '11:05 am', 'সকাল ১১:০৫'],
  [12, '12:05 pm', 'দুপুর ১২:০৫'],
  [15, '3:05 pm', 'বিকেল ৩:০৫'],
  [18, '6:05 pm', 'সন্ধ্যা ৬:০৫'],
  [20, '8:05 pm', 'রাত ৮:০৫'],
] as const)('five past %i in Dhaka is %s, and %s', (hour, english, bangla) => {
  const timeMs = Date.UTC(2026, 10, 20, hour - 6, 5);
  expect(clockText('en', timeMs)).toBe(english);
  expect(clockText('bn', timeMs)).toBe(bangla);
});
