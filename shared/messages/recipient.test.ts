import { describe, expect, it } from 'vitest';
import { knownPhone, phoneNumber, recipientOf } from './recipient.ts';

describe('knownPhone', () => {
  it.each(['1234567', '1712345678', '99912345678'])('takes %s, which no caller may send without its +', (text) => {
    expect(knownPhone(text)).toBe(`+${text}`);
    expect(phoneNumber(text)).toBeUndefined();
    expect(phoneNumber(`+${text}`)).toBe(`+${text}`);
  });
});

describe('phoneNumber', () => {
  it.each([
    ['+8801700000000', '+8801700000000'],
    ['8801700000000', '+8801700000000'],
    ['+1234567', '+1234567'],
    ['12065550100', '+12065550100'],
    ['4915112345678', '+4915112345678'],
    ['+123456789012345', '+123456789012345'],
  ])('takes %s as %s', (text, number) => {
    expect(phoneNumber(text)).toBe(number);
  });

  it.each([
    '',
    '+',
    '123456',
    '+123456',
    '1234567',
    '1712345678',
    '99912345678',
    '123456789012345',
    '1234567890123456',
    '01700000000',
    '+01700000000',
    '++8801700000000',
    '880 1700 000000',
    '+880-1700-000000',
    '(880)1700000000',
    '008801700000000',
    '+8801700000000 ',
    '+8801700000000\n',
    '+88017000000x0',
    '٠١٢٣٤٥٦٧٨٩',
    '８８０１７０００００００００',
    'tel:+8801700000000',
    'ada@example.com',
  ])('refuses %j', (text) => {
    expect(phoneNumber(text)).toBeUndefined();
  });
});

describe('recipientOf', () => {
  it('delivers an email to its address and knows the contact as it was sent', () => {
    expect(recipientOf('email', 'Ada@Bücher.Example')).toEqual({
      address: 'Ada@xn--bcher-kva.example',
      contact: { email: 'Ada@Bücher.Example' },
    });
  });

  it.each(['sms', 'whatsapp'] as const)('knows a number by its one form on %s', (channel) => {
    expect(recipientOf(channel, '8801700000000')).toEqual({
      address: '+8801700000000',
      contact: { phone: '+8801700000000' },
    });
  });

  it('is undefined for an address of another channel', () => {
    expect(recipientOf('email', '+8801700000000')).toBeUndefined();
    expect(recipientOf('sms', 'ada@example.com')).toBeUndefined();
    expect(recipientOf('whatsapp', 'ada@example.com')).toBeUndefined();
  });
});
