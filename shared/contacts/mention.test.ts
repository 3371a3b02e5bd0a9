import { expect, it } from 'vitest';
import { JsonText } from '../kit/json-text.ts';
import { mentionOf } from './mention.ts';

const mentions = mentionOf([{ email: 'Ada+Shop@Example.com' }, { phone: '+8801712345678' }]);

it.each([
  'ada+shop@example.com',
  'Ada <ADA+SHOP@example.com>, hello',
  'Write to ada+shop@example.com.',
  'https://shop.example/?email=ada%2Bshop%40example.com&x=1',
  '+8801712345678',
  '8801712345678',
  'tel:+880 1712-345678',
  '01712-345678',
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
