import fc from 'fast-check';

const [firstSurrogate, surrogates, last] = [0xd800, 0x800, 0x10ffff];

/** The unit of texts in any script. Fast-check's own, `binary`, first makes a list of all characters, which takes more than a second. */
export const anyCharacter = fc
  .integer({ min: 0, max: last - surrogates })
  .map((n) => String.fromCodePoint(n < firstSurrogate ? n : n + surrogates));
