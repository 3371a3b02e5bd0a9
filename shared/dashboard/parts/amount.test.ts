import { expect, test } from 'vitest';
import { amountText, minorIn, money } from './amount.ts';

test('A typed amount becomes minor units without rounding.', () => {
  expect(['1', '1.5', '1,250.05', '1,00,000', '0.29', ' 12 '].map(minorIn)).toEqual([
    100, 150, 125_005, 10_000_000, 29, 1_200,
  ]);
});

test('An amount may be typed in Bangla digits, as the payer reads it.', () => {
  expect(['৫০০', '১,২৫,০০০.৫', '২5.0৯'].map(minorIn)).toEqual([50_000, 12_500_050, 2_509]);
});

test('What is no amount of two decimals is not guessed.', () => {
  for (const text of ['', '-1', '1.005', '1.', '.5', 'ten', '1e3', '25,50', '1,5', '1.250,5', ',250'])
    expect(minorIn(text)).toBeUndefined();
});

test('The text of an amount reads back as the same amount.', () => {
  for (const minor of [0, 5, 99, 100, 2_550, 999_999_999_999]) expect(minorIn(amountText(minor))).toBe(minor);
});

test('A currency that a gateway reports is shown as it is where it is no code.', () => {
  expect(['BDT', 'Taka', 'BD', ''].map((currency) => money(70_001, currency))).toEqual([
    '৳700.01',
    '700.01 Taka',
    '700.01 BD',
    '700.01',
  ]);
});
