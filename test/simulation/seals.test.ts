import * as crypto from 'node:crypto';
import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync } from './seals.ts';

it('a seal of the worlds opens where it was made and under its key, and nowhere else', () => {
  const [key, other] = [createSecretKey(randomBytes(32)), createSecretKey(randomBytes(32))];
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from('here'));
  const sealed = cipher.update('Ada');
  const opened = (place: string, under: typeof key, bytes: Uint8Array): string => {
    const decipher = createDecipheriv('aes-256-gcm', under, nonce)
      .setAAD(Buffer.from(place))
      .setAuthTag(cipher.getAuthTag());
    return Buffer.concat([decipher.update(bytes), decipher.final()]).toString();
  };
  expect(opened('here', key, sealed)).toBe('Ada');
  expect(() => opened('there', key, sealed)).toThrow('sealed for another place');
  expect(() => opened('here', other, sealed)).toThrow('under another key');
  expect(() => opened('here', key, Buffer.from('Bob'))).toThrow('sealed for another place');
});

it('a key that is derived from another is the real one, and none of another account', () => {
  const key = randomBytes(32);
  const derived = (salt: string) => Buffer.from(hkdfSync('sha256', key, salt, 'fingerprint', 32));
  for (const salt of ['one', 'two', 'one'])
    expect(derived(salt)).toEqual(Buffer.from(crypto.hkdfSync('sha256', key, salt, 'fingerprint', 32)));
});
