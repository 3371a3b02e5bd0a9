import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isForTests, isReturnUrl } from './return-url.ts';

describe('successUrl and cancelUrl', () => {
  it.each([
    'https://shop.example',
    'https://shop.example/thanks?session={CHECKOUT_SESSION_ID}',
    'https://shop.example/{CHECKOUT_SESSION_ID}/thanks#top',
    'https://shop.example:8443/a?b=c@d',
    'https://bücher.example/ö',
    'http://localhost:3000/thanks',
    'http://127.0.0.1/thanks',
    'http://[::1]:8080/',
    'HTTPS://SHOP.EXAMPLE/',
    `https://shop.example/${'a'.repeat(2_048 - 21)}`,
    `https://shop.example/${'🫖'.repeat(2_048 - 21)}`,
  ])('may be %s', (url) => {
    expect(isReturnUrl(url)).toBe(true);
  });

  it.each([
    '',
    '/thanks',
    'shop.example/thanks',
    '//shop.example/thanks',
    'http://shop.example/thanks',
    'http://localhost.shop.example/',
    'http://127.0.0.1.shop.example/',
    'javascript:alert(1)',
    'data:text/html,hello',
    'ftp://shop.example/',
    'https://user@shop.example/',
    'https://user:secret@shop.example/',
    'https://@shop.example/',
    'https://shop.example\\@evil.example/',
    'https:/shop.example/',
    'https:///shop.example/',
    'https://',
    ' https://shop.example/',
    'https://shop.example/ ',
    'https://shop.example/a b',
    'https://shop.example/\nSet-Cookie:a=b',
    'https://shop.example/\t',
    'https://shop.example/\0',
    'https://shop.example/\u0085',
    'https://{CHECKOUT_SESSION_ID}.example/',
    `https://shop.example/${'a'.repeat(2_048 - 20)}`,
    `https://shop.example/${'🫖'.repeat(2_048 - 20)}`,
  ])('is never %j', (url) => {
    expect(isReturnUrl(url)).toBe(false);
  });

  it('leads to a browser’s own idea of https, or to this machine, regardless of what is sent', () => {
    const parts = fc.constantFrom(
      'https:',
      'http:',
      '//',
      '/',
      '\\',
      '@',
      ':',
      '?',
      '#',
      '{',
      '%',
      ' ',
      '\n',
      'a.example',
      'localhost',
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 8 }), (texts) => {
        const text = texts.join('');
        if (!isReturnUrl(text)) return;
        const { protocol, username, password, hostname } = new URL(text);
        expect([username, password]).toEqual(['', '']);
        expect(protocol === 'https:' || hostname === 'localhost').toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });

  it('is for test keys only where it is plain http', () => {
    expect([isForTests('http://localhost/'), isForTests('https://localhost/')]).toEqual([true, false]);
  });
});
