import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emailAddress } from './email-address.ts';

const longestLabel = 'a'.repeat(63);
/** 255 characters: three labels of 63, their dots, and what is left. */
const longestDomain = `${longestLabel}.${longestLabel}.${longestLabel}.${'a'.repeat(59)}.com`;

describe('emailAddress', () => {
  it.each([
    'ada@example.com',
    "o'brien+tag@sub.example.co.uk",
    'Ada.Lovelace@example.com',
    'a@b.co',
    'first.last@example.museum',
    "!#$%&'*+-/=?^_`{|}~@example.com",
    '1234567890@example.com',
    '_@example.com',
    'a@1.example.com',
    'a@123.com',
    'a@xn--bcher-kva.example',
    'a@a-b--c.example',
    'bounce+order17@simulator.amazonses.com',
    `${'a'.repeat(64)}@example.com`,
    `a@${longestLabel}.com`,
    `${'a'.repeat(64)}@${longestDomain}`,
  ])('takes %s as it is', (address) => {
    expect(emailAddress(address)).toBe(address);
  });

  it.each([
    ['Ada@Example.COM', 'Ada@example.com'],
    ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
    ['ada@BÜCHER.example', 'ada@xn--bcher-kva.example'],
    ['ada@উদাহরণ.বাংলা', 'ada@xn--d5b6ci4b4b3a.xn--54b7fta0cc'],
    ['ada@例え.jp', 'ada@xn--r8jz45g.jp'],
  ])('delivers to %s as %s', (address, delivered) => {
    expect(emailAddress(address)).toBe(delivered);
  });

  it.each([
    '',
    '@',
    'ada',
    'ada@',
    '@example.com',
    'ada@example',
    'ada@localhost',
    'ada@@example.com',
    'ada@b@example.com',
    'ada @example.com',
    ' ada@example.com',
    'ada@example.com ',
    'ada@exa mple.com',
    'ada@example.com\n',
    'ada@example.com\r\nBcc: eve@example.com',
    'ada\0@example.com',
    'ada@example.com,eve@example.com',
    'ada@example.com;eve@example.com',
    'Ada <ada@example.com>',
    '<ada@example.com>',
    'mailto:ada@example.com',
    '.ada@example.com',
    'ada.@example.com',
    'a..da@example.com',
    '"ada lovelace"@example.com',
    'ada(comment)@example.com',
    'zoë@example.com',
    'ada@.example.com',
    'ada@example..com',
    'ada@example.com.',
    'ada@-example.com',
    'ada@example-.com',
    'ada@exa_mple.com',
    'ada@example.c%6fm',
    'ada@127.0.0.1',
    'ada@0x7f.1',
    'ada@[127.0.0.1]',
    'ada@example.123',
    'ada@xn--\u00fc.example',
    'ada@example\u3002com',
    `${'a'.repeat(65)}@example.com`,
    `a@${longestLabel}a.com`,
    `${'a'.repeat(63)}@a${longestDomain}`,
    `${'a'.repeat(64)}@a${longestDomain}`,
    '+8801700000000',
  ])('refuses %j', (text) => {
    expect(emailAddress(text)).toBeUndefined();
  });

  it('takes 320 characters and not one more', () => {
    const longest = `${'a'.repeat(64)}@${longestDomain}`;
    expect(longest.length).toBe(320);
    expect(emailAddress(longest)).toBe(longest);
  });

  it('takes every plain address, and what it gives is one again', () => {
    fc.assert(
      fc.property(fc.emailAddress({ size: 'medium' }), (address) => {
        const delivered = emailAddress(address);
        expect(delivered?.toLowerCase()).toBe(address.toLowerCase());
        expect(emailAddress(delivered ?? '')).toBe(delivered);
      }),
    );
  });

  it('gives nothing that could end a header or name a second address', () => {
    const near = fc.string({ unit: fc.constantFrom(...'ab.@-_<>",;: \r\n\0ü＠。') });
    fc.assert(
      fc.property(near, (text) => {
        expect(emailAddress(text) ?? 'a@b.co').toMatch(/^[!-?A-~]+@[a-z0-9.-]+$/);
      }),
    );
  });

  it('refuses a megabyte at once', () => {
    for (const piece of ['a', '@', '.', 'a@a.']) expect(emailAddress(piece.repeat(1_000_000))).toBeUndefined();
  });
});
