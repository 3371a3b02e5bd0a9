import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasSign, parseForeign, textAt } from './json-pointer.ts';

/** The document of RFC 6901, section 5. */
const example = { foo: ['bar', 'baz'], '': 0, 'a/b': 1, 'c%d': 2, 'm~n': 8, ' ': 7 };

describe('textAt', () => {
  it.each([
    ['/foo/0', 'bar'],
    ['/', '0'],
    ['/a~1b', '1'],
    ['/c%d', '2'],
    ['/m~0n', '8'],
    ['/ ', '7'],
  ])('finds %s', (pointer, text) => expect(textAt(example, pointer)).toBe(text));

  it('finds only strings, numbers and booleans', () => {
    for (const pointer of ['', '/foo', '/foo/2', '/foo/length', '/foo/0/0', '/constructor/name', '/__proto__']) {
      expect(textAt(example, pointer)).toBeUndefined();
    }
    expect([textAt(null, ''), textAt(undefined, '/a'), textAt({ a: null }, '/a')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('finds the document itself when it is a string', () => {
    expect([textAt('OK', ''), textAt(true, '')]).toEqual(['OK', 'true']);
  });

  it('finds every member by its escaped name', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 4 }), (names) => {
        const document = names.reduceRight<unknown>((inner, name) => ({ [name]: inner }), 'found');
        const pointer = names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
        fc.pre(!names.includes('__proto__'));
        expect(textAt(document, pointer)).toBe('found');
      }),
    );
  });
});

describe('parseForeign', () => {
  it('keeps numbers as written', () => {
    expect(parseForeign('{"id":12345678901234567890,"price":1.50,"at":[1e3]}')).toEqual({
      id: '12345678901234567890',
      price: '1.50',
      at: ['1e3'],
    });
  });

  it('returns undefined for a text that is not JSON', () => {
    for (const text of ['', 'OK', '{', '<xml/>']) expect(parseForeign(text)).toBeUndefined();
  });
});

describe('hasSign', () => {
  it('compares as text, ignoring case and surrounding spaces', () => {
    const sign = { at: '/status', isOneOf: ['OK', '0', 'true'] };
    for (const status of ['ok', ' Ok ', 0, true, 'TRUE']) expect(hasSign({ status }, sign)).toBe(true);
    for (const status of ['okay', '', null, 1, ['ok']]) expect(hasSign({ status }, sign)).toBe(false);
    expect(hasSign({}, sign)).toBe(false);
  });
});
