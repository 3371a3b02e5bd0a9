import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cipherOf } from './cipher.ts';

const dataKey = randomBytes(32);
const cipher = cipherOf('account', dataKey);
const place = fc.string();
const text = fc.string({ unit: 'grapheme' });

describe('seal and open', () => {
  it('return the sealed text, in any script', () => {
    fc.assert(fc.property(place, text, (where, what) => cipher.open(where, cipher.seal(where, what)) === what));
  });

  it('refuse a text that was moved to another place', () => {
    fc.assert(
      fc.property(place, place, text, (here, there, what) => {
        fc.pre(here !== there);
        expect(() => cipher.open(there, cipher.seal(here, what))).toThrow();
      }),
    );
  });

  it('refuse another account, even with the same key, and another key', () => {
    const sealed = cipher.seal('here', 'secret');
    expect(() => cipherOf('other', dataKey).open('here', sealed)).toThrow();
    expect(() => cipherOf('account', randomBytes(32)).open('here', sealed)).toThrow();
  });

  it('refuse a text with any bit changed, or truncated', () => {
    const sealed = Buffer.from(cipher.seal('here', 'a secret'));
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(() => cipher.open('here', changed)).toThrow();
    }
    for (let length = 0; length < sealed.length; length += 1) {
      expect(() => cipher.open('here', sealed.subarray(0, length))).toThrow();
    }
  });

  it('refuse what is not sealed, such as a field that is missing', () => {
    for (const other of [undefined, null, 'text', 7, {}])
      expect(() => cipher.open('here', other)).toThrow('the data is not sealed');
  });

  it('reveal nothing of the text, and differ each time', () => {
    const sealed = Array.from({ length: 100 }, () => Buffer.from(cipher.seal('here', 'ada@example.com')));
    expect(new Set(sealed.map((bytes) => bytes.toString('hex'))).size).toBe(100);
    for (const bytes of sealed) expect(bytes.includes('ada')).toBe(false);
  });
});

describe('fingerprint', () => {
  it('is 43 characters, and the same for the same text of the same kind', () => {
    fc.assert(
      fc.property(text, (what) => {
        expect(cipher.fingerprint('email', what)).toMatch(/^[\w-]{43}$/);
        expect(cipherOf('account', dataKey).fingerprint('email', what)).toBe(cipher.fingerprint('email', what));
      }),
    );
  });

  it('differs by text, by kind, by account and by key', () => {
    const prints = [
      cipher.fingerprint('email', 'a'),
      cipher.fingerprint('email', 'b'),
      cipher.fingerprint('phone', 'a'),
      cipherOf('other', dataKey).fingerprint('email', 'a'),
      cipherOf('account', randomBytes(32)).fingerprint('email', 'a'),
    ];
    expect(new Set(prints).size).toBe(prints.length);
  });
});
