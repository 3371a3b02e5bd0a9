import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { privateAddresses, publicAddresses } from './guard-vectors-fixture.ts';
import { isPublicAddress } from './public-address.ts';

describe('an address', () => {
  it.each(privateAddresses)('%j is not public', (address) => expect(isPublicAddress(address)).toBe(false));
  it.each(publicAddresses)('%s is public', (address) => expect(isPublicAddress(address)).toBe(true));

  it('is never public inside another one', () => {
    fc.assert(
      fc.property(fc.ipV4(), (inside) => {
        for (const prefix of ['::', '::ffff:', '::ffff:0:', '64:ff9b::', '64:ff9b:1::', 'fe80::5efe:'])
          expect(isPublicAddress(`${prefix}${inside}`)).toBe(false);
      }),
    );
  });

  it('is judged alike in every spelling of IPv6', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const [, canonical = ''] = /^\[(.*)\]$/.exec(new URL(`http://[${address}]`).hostname) ?? [];
        expect(isPublicAddress(address.toUpperCase())).toBe(isPublicAddress(canonical));
      }),
    );
  });

  it('of IPv6 is public only in 2000::/3', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        fc.pre(!/^[23][0-9a-f]{3}:/i.test(address));
        expect(isPublicAddress(address)).toBe(false);
      }),
    );
  });
});
