import { describe, expect, it } from 'vitest';
import { payerAddressIn } from './payer-address.ts';

const live = 'https://gateway.example';

describe('where a gateway sends a payer', () => {
  it.each([
    ['https://pay.example/a?b=1&c=%20#d', 'https://pay.example/a?b=1&c=%20#d'],
    ['https://pay.example/\r\nSet-Cookie: x', 'https://pay.example/Set-Cookie:%20x'],
    ['https://pay.example/টাকা', 'https://pay.example/%E0%A6%9F%E0%A6%BE%E0%A6%95%E0%A6%BE'],
  ])('is %j as a browser writes it', (text, address) => {
    expect(payerAddressIn(text, live)).toBe(address);
  });

  it.each([
    '',
    '/pay',
    'pay.example',
    'http://pay.example/',
    'https://user@pay.example/',
    'https://:pw@pay.example/',
    'javascript:alert(1)',
  ])('is nowhere for %j', (text) => {
    expect(payerAddressIn(text, live)).toBeUndefined();
  });

  it('may be plain http where the gateway itself is called by http', () => {
    expect(payerAddressIn('http://localhost:1/pay', 'http://localhost:1')).toBe('http://localhost:1/pay');
  });
});
