import { domainToASCII } from 'node:url';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold, foldEmail, matchesTerm, nameWords, searchTerms } from './search.ts';

const named = (firstName: string | null, lastName: string | null = null) => ({
  email: null,
  phone: null,
  firstName,
  lastName,
});
const isFound = (contact: Parameters<typeof matchesTerm>[0], search: string) =>
  searchTerms(search).every((term) => matchesTerm(contact, term));

describe('fold', () => {
  it.each([
    ['Zoë', 'zoe'],
    ['Zoe\u0308', 'zoe'],
    ['Åsa', 'asa'],
    ['ß', 'ss'],
    ['İ', 'i'],
    ['ΑΣ', 'ασ'],
    ['ﬁ', 'fi'],
    ['김', '김'],
    ['রি', 'রি'],
  ])('makes %s %s', (text, folded) => {
    expect(fold(text)).toBe(folded.normalize('NFC'));
  });

  it('keeps names apart that differ in the vowels of their script', () => {
    expect(fold('রি')).not.toBe(fold('রা'));
  });
});

it('takes emails for the same that are delivered to the same address', () => {
  expect(foldEmail('Ada@ZÜRICH.example')).toBe(foldEmail(`ada@${domainToASCII('zürich.EXAMPLE')}`));
  expect(foldEmail('ada@example.com')).not.toBe(foldEmail('a.da@example.com'));
});

describe('the words of a name', () => {
  it('are split at blanks and signs, each once', () => {
    expect(nameWords({ firstName: "Anne-Marie  O'Neil", lastName: 'Marie 2nd' })).toEqual([
      'anne',
      'marie',
      'o',
      'neil',
      '2nd',
    ]);
    expect(nameWords({ firstName: null, lastName: null })).toEqual([]);
  });

  it('are the first twelve, of a hundred letters each', () => {
    const firstName = Array.from({ length: 13 }, (_, n) => `w${n}`).join(' ');
    expect(nameWords({ firstName, lastName: null })).toHaveLength(12);
    expect(nameWords({ firstName: '㌫'.repeat(100), lastName: null })[0]).toHaveLength(100);
  });
});

describe('a search', () => {
  it('finds a whole email and a whole phone, never a part', () => {
    const ada = { ...named(null), email: 'Ada+x@Example.com', phone: '+8801700000000' };
    for (const search of ['ada+X@example.COM', '+8801700000000', '8801700000000', 'ada+x@example.com 8801700000000'])
      expect([search, isFound(ada, search)]).toEqual([search, true]);
    for (const search of ['ada', 'ada+x@example.co', 'example.com', '880170000000', '01700000000'])
      expect([search, isFound(ada, search)]).toEqual([search, false]);
  });

  it('finds the start of any word, and every piece must match', () => {
    const ada = named('Augusta Ada', 'King-Noel');
    for (const search of ['a', 'ada', 'noel', 'king-no', 'king.', 'NOEL aug', '  ada  '])
      expect([search, isFound(ada, search)]).toEqual([search, true]);
    for (const search of ['da', 'ada lovelace', 'kingdom', '-', 'ada@king.noel'])
      expect([search, isFound(ada, search)]).toEqual([search, false]);
  });

  it('finds a name as it is written, with signs between its words, and no contact by signs alone', () => {
    for (const name of ['Rahim & Sons', 'Anna – Maria', 'Ada / Eve'])
      expect([name, isFound(named(name), name), isFound(named(name), `${name} &`)]).toEqual([name, true, true]);
    expect(isFound(named('Rahim & Sons'), 'rahim & brothers')).toBe(false);
    expect(isFound(named('Rahim & Sons'), '& -')).toBe(false);
  });

  it('finds any name by the start of any of its words, in either case, with or without accents', () => {
    const letter = fc.constantFrom(...'a b y z A B Y Z é'.split(' '), 'ü', 'ñ', 'ß', 'ж', '中', '김', 'র', 'ি', '7');
    const word = fc.string({ unit: letter, minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), fc.nat(), fc.nat(), (words, n, length) => {
        const chosen = [...(words[n % words.length] ?? '').normalize('NFC')];
        const start = chosen.slice(0, 1 + (length % chosen.length)).join('');
        const contact = named(words.slice(0, 2).join(' '), words.slice(2).join(' '));
        expect(isFound(contact, start)).toBe(true);
        expect(isFound(contact, start.toUpperCase())).toBe(true);
        expect(isFound(contact, start.normalize('NFD').replace(/[\u0300-\u036f]/g, ''))).toBe(true);
        expect(isFound(contact, `${start} Qqqqqqqqqqqqq`)).toBe(false);
      }),
    );
  });

  it.each([
    ['Łukasz', 'lukasz'],
    ['Bjørn', 'bjorn'],
    ['Đặng', 'dang'],
    ['Guðrún Æsa', 'gudrun aesa'],
  ])('finds %s by %s, and as it is written', (name, plain) => {
    expect(isFound(named(name), plain)).toBe(true);
    expect(isFound(named(name), name)).toBe(true);
    expect(isFound(named(name), `${plain}x`)).toBe(false);
  });

  it('lets plain letters take no word’s place among the twelve', () => {
    const firstName = Array.from({ length: 12 }, (_, n) => `ł${n}`).join(' ');
    expect(nameWords({ firstName, lastName: 'last' })).toEqual(firstName.split(' '));
  });

  it('puts the longest piece first and none twice', () => {
    expect(searchTerms(' bb a bb  ccc').map(({ words }) => words)).toEqual([['ccc'], ['bb'], ['a']]);
    expect(searchTerms('  ')).toEqual([]);
  });
});
