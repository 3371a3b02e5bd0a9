import { expect, test } from 'vitest';
import { amountText, minorIn } from './amount.ts';

test('A typed amount becomes minor units without rounding.', () => {
  expect(['1', '1.5', '1,250.05', '0.29', ' 12 '].map(minorIn)).toEqual([100, 150, 125_005, 29, 1_200]);
});

test('What is no amount of two decimals is not guessed.', () => {
  for (const text of ['', '-1', '1.005', '1.', '.5', 'ten', '1e3']) expect(minorIn(text)).toBeUndefined();
});

test('The text of an amount reads back as the same amount.', () => {
  for (const minor of [0, 5, 99, 100, 2_550, 999_999_999_999]) expect(minorIn(amountText(minor))).toBe(minor);
});
