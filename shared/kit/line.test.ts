import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { asLine, filledLinePattern, line, lineFault, linePattern } from './line.ts';

describe('line', () => {
  it.each([
    ['a\0b', 'U+0000'],
    ['a\r\nBcc: eve@example.com', 'U+000D'],
    ['a\tb', 'U+0009'],
    ['\u001f', 'U+001F'],
    ['\u007f', 'U+007F'],
    ['a\u2028', 'U+2028'],
    ['\u2029a', 'U+2029'],
  ])('refuses %j and says what was found', (text, found) => {
    const message = `must not contain control characters (found ${found})`;
    expect(line(z.string()).safeParse(text).error?.issues[0]?.message).toBe(message);
  });

  it.each(['', 'a', 'a%0d%0aBcc: x', '=?utf-8?Q?=0D=0ABcc:_x?=', '&#13;&#10;', '\\r\\n', 'বাংলা', '👩‍💻', 'a\u0085b'])(
    'takes %j',
    (text) => {
      expect(line(z.string()).parse(text)).toBe(text);
    },
  );

  it('agrees with its pattern in the description but for the separators, and with what cleaning leaves', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', ' ', '\0', '\n', '\u007f', '\u009f', '\u00a0', '\u2028', 'ü'),
    });
    fc.assert(
      fc.property(text, (value) => {
        expect(new RegExp(linePattern).test(value)).toBe(lineFault(value.replaceAll('\u2028', '')) === undefined);
        const isFilledLine = new RegExp(linePattern).test(value) && /[^ ]/.test(value);
        expect(new RegExp(filledLinePattern).test(value)).toBe(isFilledLine);
        expect(lineFault(asLine(value))).toBeUndefined();
      }),
    );
  });
});
