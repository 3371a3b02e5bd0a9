import fc from 'fast-check';
import { expect, it } from 'vitest';
import { grouped } from './grouped.ts';

it('writes every whole number as English does', () => {
  fc.assert(fc.property(fc.maxSafeInteger(), (count) => grouped(count) === count.toLocaleString('en')));
  expect(grouped(200_000)).toBe('200,000');
});
