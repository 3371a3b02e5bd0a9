import { expect, it } from 'vitest';
import { JsonText } from '../kit/json-text.ts';
import { mentionOf } from './mention.ts';

const mentions = mentionOf([
  { email: 'Ada+Shop@Example.com' },
  { phone: '+8801712345678' },
  { phone: '+14795550123' },
  { phone: '+12025550123' },
  { email: 'josé@example.com' },
]);

it.each([
  'ada+shop@example.com',
  'Ada <ADA+SHOP@example.com>, hello',
  'Write to ada+shop@example.com.',
  'https://shop.example/?email=ada%2Bshop%40example.com&x=1',
  '+8801712345678',
  '8801712345678',
  'tel:+880 1712-345678',
  '01712-345678',
  `https://shop.example/${encodeURIComponent('?to=ada+shop@example.com')}`,
  encodeURIComponent('Write to ada+shop@example.com').toLowerCase(),
  encodeURIComponent('mailto:ada+shop@example.com'),
  'to=jos%C3%A9%40example.com',
  '(479) 555-0123',
  '+1 (479) 555-0123',
  '+1-(479)-555.0123',
  '479/555/0123',
  '479 - 555 - 0123',
  '+1\u00a0479\u202f555\u20110123',
  'phone=%2B14795550123',
  'phone=%28479%29+555-0123',
  'phone=479%C2%A0555%E2%80%910123',
  '00880 1712 345678',
  '011 880 1712 345678',
  '+880 (0)1712 345678',
  'text=call+2025550123',
  'text=call+4795550123',
  '?to=%2B12025550123',
  // No number of Egypt.
  '+2025550123',
  'phone=+2025550123',
  '00 202 555 0123',
  'No. 100 479 555 0123',
])('an address is found in %s', (text) => {
  expect(mentions(text)).toBe(true);
});

it.each([
  'nada+shop@example.com',
  'ada+shop@example.com.bd',
  'ada@example.com',
  '88017123456789',
  '1712345678',
  '019a01712345678f',
  '(479) x 555-0123',
  '479 ---- 555 0123',
  '+4795550123',
  'phone=%2B47 95550123',
  'phone=+4795550123',
  'text=call+%2B4795550123',
  '00 47 95 55 01 23',
  'phone=00+47+95+55+01+23',
  '011-47-95550123',
  'tel:(00)47 955 50 123',
  encodeURIComponent('nada+shop@example.com'),
  '100%',
  '%E9%%4',
  '',
])('no address is found in %s', (text) => {
  expect(mentions(text)).toBe(false);
});

it('an address is found in lists, in names and in JSON, and nothing is found without an address', () => {
  expect(mentions({ list: [1, null, { deep: 'ada+shop@example.com' }] })).toBe(true);
  expect(mentions({ 'ada+shop@example.com': true })).toBe(true);
  expect(mentions({ metadata: JsonText.of({ to: '\nada+shop@example.com' }) })).toBe(true);
  expect(mentions([1, null, undefined, true, { a: 'b' }])).toBe(false);
  expect(mentionOf([])('')).toBe(false);
});

it('a number that no plan has is found by its digits', () => {
  expect(mentionOf([{ phone: '+9991234567' }])('call 9991234567')).toBe(true);
});
