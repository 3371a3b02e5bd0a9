import { expect, it } from 'vitest';
import { isSameText } from './same-text.ts';

it('finds a text equal to itself alone, regardless of the lengths', () => {
  expect(isSameText('a secret', 'a secret')).toBe(true);
  expect(isSameText('', '')).toBe(true);
  for (const other of ['', 'a', 'a secrets', 'A secret', 'á secret']) {
    expect(isSameText('a secret', other)).toBe(false);
  }
});
