import { describe, expect, it } from 'vitest';
import { makeSecret, webhookFields } from './webhook.ts';

const isUrl = (url: string) => webhookFields.shape.url.safeParse(url).success;

describe('the url of a subscription', () => {
  it.each([
    'https://example.com',
    'http://example.com:8080/hooks?token=a%20b&x=1',
    'HTTPS://EXAMPLE.COM/',
    'https://user:pass@example.com/',
    'http://localhost:3000/',
    'http://127.0.0.1/',
    'http://[::1]:80/',
    'http://169.254.169.254/latest/meta-data',
    'https://münchen.example/é',
    `https://example.com/${'a'.repeat(2_048 - 'https://example.com/'.length)}`,
  ])('may be %s', (url) => expect(isUrl(url)).toBe(true));

  it.each([
    '',
    'example.com',
    '//example.com',
    '/hooks',
    'ftp://example.com',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http:example.com',
    'http://',
    'http://[::1',
    'http://example.com:99999/',
    'https://example.com/#fragment',
    'https://example.com/#',
    ' https://example.com',
    'https://example.com/a b',
    'https://example.com/\n',
    `https://example.com/${'a'.repeat(2_049 - 'https://example.com/'.length)}`,
  ])('may not be %j', (url) => expect(isUrl(url)).toBe(false));
});

it('makes secrets of 48 hexadecimal characters, each another', () => {
  const secrets = Array.from({ length: 100 }, makeSecret);
  for (const secret of secrets) expect(secret).toMatch(/^[0-9a-f]{48}$/);
  expect(new Set(secrets).size).toBe(100);
});
