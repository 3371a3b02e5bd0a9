import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../test/any-character.ts';
import { characters, text } from './text.ts';

const emoji = '😀';

describe('characters', () => {
  it('counts code points in every script', () => {
    fc.assert(fc.property(fc.array(anyCharacter), (letters) => characters(letters.join('')) === letters.length));
  });

  it('counts half of a surrogate pair as one', () => {
    expect(characters('\ud83d')).toBe(1);
    expect(characters('\ud83d'.repeat(5))).toBe(5);
    expect(characters('\ude00\ud83d')).toBe(2);
    expect(characters(`${emoji}\ud83d`)).toBe(2);
  });
});

describe('text', () => {
  it.each(['a', 'ü', emoji, '\ud83d', '\ude00'])('accepts exactly the limit of %j', (letter) => {
    expect(text({ atMost: 50 }).safeParse(letter.repeat(50)).success).toBe(true);
    expect(text({ atMost: 50 }).safeParse(letter.repeat(51)).success).toBe(false);
  });

  it('names the limit in its message', () => {
    expect(text({ atMost: 3 }).safeParse('abcd').error?.issues[0]?.message).toBe('must be at most 3 characters');
  });
});
