import { expect, it } from 'vitest';
import { nameInMail } from './name-in-mail.ts';

it.each([
  ['Ada’s books', 'the account “Ada’s books”'],
  ['Shop no. 1, J.R. Smith & Co.', 'the account “Shop no. 1, J.R. Smith & Co.”'],
  ['আদার বই। ঢাকা', 'the account “আদার বই। ঢাকা”'],
  ['Price: 5.50', 'the account “Price: 5.50”'],
  ['a'.repeat(60), `the account “${'a'.repeat(60)}”`],
  ['a'.repeat(61), `the account “${'a'.repeat(60)}…”`],
  ['😀'.repeat(61), `the account “${'😀'.repeat(60)}…”`],
])('names the account %j in quotation marks, and no more than 60 characters of it', (name, said) => {
  expect(nameInMail('account', name)).toBe(said);
});

it.each([
  ['x”. Your account is blocked “', 'the account “x . Your account is blocked”'],
  ['x".\n\nSign in again:\r\n', 'the account “x . Sign in again:”'],
  ['x\u202eturned\u2066', 'the account “x turned”'],
])('keeps the name %j within its quotation marks and its line', (name, said) => {
  expect(nameInMail('account', name)).toBe(said);
});

it.each([
  'https://evil',
  'Open evil.example/x now',
  'evil.com',
  'EVIL.COM',
  'write to x@evil.com',
  'www.1',
  '192.0.2.1/x',
  'evil。com',
  'evil.xn--p1ai',
  'উদাহরণ.বাংলা',
  `${'a'.repeat(80)} evil.example`,
  '”',
])('leaves out the name %j, of which a mail program would make a link, or nothing is left', (name) => {
  expect(nameInMail('account', name)).toBe('an account');
});

it('names a webhook in the same way', () => {
  expect(nameInMail('webhook', 'Orders')).toBe('the webhook “Orders”');
  expect(nameInMail('webhook', 'Sign in at evil.example')).toBe('a webhook');
});
