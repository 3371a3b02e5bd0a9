import { describe, expect, it } from 'vitest';
import { senderOf } from './sender.ts';

const platform = 'no-reply@platform.example';
const addresses = { platformAddress: platform, peopleAddress: 'sign-in@example.com' };
const settings = {
  fromAddress: 'hello@example.com',
  fromName: 'Example',
  listUnsubscribe: true,
  verifiedDomains: ['example.com', 'xn--bcher-kva.example'],
};

describe('senderOf', () => {
  it.each([
    ['news@example.com', 'news@example.com'],
    ['News@EXAMPLE.com', 'News@example.com'],
    ['news@bücher.example', 'news@xn--bcher-kva.example'],
    [undefined, 'hello@example.com'],
  ])('lets %s send, from %s', (from, address) => {
    expect(senderOf(settings, { from }, addresses).address).toBe(address);
  });

  it.each([
    'news@other.example',
    'news@sub.example.com',
    'news@notexample.com',
    'news@example.com.evil.example',
    'a@b@example.com',
    'nobody',
    'sign-in@example.com',
    'Sign-In@EXAMPLE.com',
  ])('puts the platform in place of %s', (from) => {
    expect(senderOf(settings, { from }, addresses).address).toBe(platform);
  });

  it('comes from the platform when the account has no address of its own, or none on a verified domain', () => {
    expect(senderOf({ ...settings, fromAddress: null }, {}, addresses).address).toBe(platform);
    expect(senderOf({ ...settings, verifiedDomains: [] }, {}, addresses).address).toBe(platform);
  });

  it('has the name that was asked for, or that of the account, or none; also on the platform’s address', () => {
    expect(senderOf(settings, { fromName: 'Zoë' }, addresses).name).toBe('Zoë');
    expect(senderOf(settings, { from: 'x@other.example', fromName: 'Zoë' }, addresses)).toEqual({
      address: platform,
      name: 'Zoë',
    });
    expect(senderOf(settings, {}, addresses).name).toBe('Example');
    expect(senderOf({ ...settings, fromName: null }, {}, addresses).name).toBeUndefined();
  });
});
