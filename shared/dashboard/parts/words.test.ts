import { expect, test } from 'vitest';
import { money } from './words.tsx';

test('A currency that a gateway reports is shown as it is where it is no code.', () => {
  expect(['BDT', 'Taka', 'BD', ''].map((currency) => money(70_001, currency))).toEqual([
    '৳700.01',
    '700.01 Taka',
    '700.01 BD',
    '700.01',
  ]);
});
