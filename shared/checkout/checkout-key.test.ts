import { describe, expect, it } from 'vitest';
import { checkoutKeyLimits, isCheckoutKey, makeCheckoutKey, prefixOf } from './checkout-key.ts';

describe('a checkout key', () => {
  it.each([
    ['secret', true, 'sk_live_'],
    ['secret', false, 'sk_test_'],
    ['publishable', true, 'pk_live_'],
    ['publishable', false, 'pk_test_'],
  ] as const)('that is %s, live %j, begins with %s', (kind, livemode, beginning) => {
    const key = makeCheckoutKey(kind, livemode);
    expect(key).toMatch(new RegExp(`^${beginning}[0-9a-f]{64}$`));
    expect(isCheckoutKey(key)).toBe(true);
    expect(prefixOf(key)).toMatch(new RegExp(`^${beginning}[0-9a-f]{4}$`));
    expect(makeCheckoutKey(kind, livemode)).not.toBe(key);
  });

  it('is no text with a character more or less, in capitals, or with the beginning of another API’s keys', () => {
    const key = makeCheckoutKey('secret', false);
    for (const text of ['', 'sk_test_', key.slice(1), `${key}0`, ` ${key}`, `${key}\n`, key.toUpperCase()]) {
      expect([text, isCheckoutKey(text)]).toEqual([text, false]);
    }
    expect(isCheckoutKey(key.replace('sk_test', 'mk_test'))).toBe(false);
    expect(isCheckoutKey(key.replace('sk_test_', 'mk_'))).toBe(false);
  });
});

describe('the limits of a key', () => {
  const isTaken = (limits: unknown) => checkoutKeyLimits.safeParse(limits).success;

  it.each([
    'https://shop.example',
    'https://shop.example:8443',
    'http://localhost:5173',
    'https://xn--bcher-kva.example',
  ])('take the origin %s', (origin) => expect(isTaken({ allowedOrigins: [origin] })).toBe(true));

  it.each([
    'https://shop.example/',
    'https://shop.example/pay',
    'https://Shop.example',
    'https://shop.example:443',
    'https://user@shop.example',
    'https://*.example',
    'shop.example',
    'ftp://shop.example',
    'null',
    '*',
    '',
  ])('refuse the origin %s', (origin) => expect(isTaken({ allowedOrigins: [origin] })).toBe(false));

  it.each(['shop.example', 'localhost:5173'])('take the host %s', (host) =>
    expect(isTaken({ redirectHosts: [host] })).toBe(true),
  );

  it.each([
    'https://shop.example',
    'shop.example/',
    'Shop.example',
    'a@shop.example',
    'shop.example:443',
    '*.example',
    'a b',
    '',
  ])('refuse the host %s', (host) => expect(isTaken({ redirectHosts: [host] })).toBe(false));

  it('refuse lists that are empty or long, and amounts that no session has', () => {
    for (const limits of [
      { allowedOrigins: [] },
      { redirectHosts: [] },
      { allowedOrigins: Array.from({ length: 21 }, (_, n) => `https://shop${n}.example`) },
      { maxAmountMinor: 0 },
      { maxAmountMinor: 1.5 },
      { maxAmountMinor: 1_000_000_000_000 },
    ]) {
      expect([limits, isTaken(limits)]).toEqual([limits, false]);
    }
    expect(isTaken({})).toBe(true);
  });
});
