import { describe, expect, it } from 'vitest';
import { newId } from '../kit/id.ts';
import { isSameText } from '../kit/same-text.ts';
import { makeReturnToken, paymentIdOfToken } from './return-token.ts';

const paymentId = newId(Date.now());

describe('a return token', () => {
  it('names its payment, fits into a path, and is another one every time', () => {
    const tokens = Array.from({ length: 100 }, () => makeReturnToken(paymentId));
    for (const token of tokens) {
      expect(token).toMatch(/^[\w-]{47}$/);
      expect(paymentIdOfToken(token)).toBe(paymentId);
    }
    expect(new Set(tokens).size).toBe(100);
  });

  it.each(['', 'x', paymentId, `${makeReturnToken(paymentId)}A`, makeReturnToken(paymentId).slice(1), 'é'.repeat(47)])(
    'is not "%s"',
    (text) => {
      expect(paymentIdOfToken(text)).toBeUndefined();
    },
  );

  it('is the same only if it is the same to the last character', () => {
    const token = makeReturnToken(paymentId);
    expect(isSameText(token, token)).toBe(true);
    for (const other of [makeReturnToken(paymentId), token.slice(1), '', `${token}x`, 'é'.repeat(47)]) {
      expect(isSameText(other, token)).toBe(false);
    }
  });
});
