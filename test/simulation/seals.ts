import * as crypto from 'node:crypto';
import { remembering } from './remembering.ts';

const tagBytes = 16;
const sums = new WeakMap<crypto.KeyObject, number>();

/** A number that follows from bytes and what came before them (FNV-1a). */
const sumOf = (before: number, bytes: Uint8Array): number => {
  let sum = before;
  for (let n = 0; n < bytes.length; n += 1) sum = Math.imul(sum ^ Number(bytes[n]), 0x01000193);
  return sum;
};

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

const keys = remembering<crypto.KeyObject>();
/** A key whose sum is known: to export it would take longer than all else of a seal. */
export const createSecretKey = (bytes: Uint8Array): crypto.KeyObject =>
  keys(textOf(bytes), () => {
    const key = crypto.createSecretKey(bytes);
    sums.set(key, sumOf(0x811c9dc5, bytes));
    return key;
  });

const derivedKeys = remembering<ArrayBuffer>();
/** As the real one, which would take longer than ten hashes each time that a function meets an account. */
export const hkdfSync = (digest: string, key: Uint8Array, salt: string, info: string, length: number): ArrayBuffer =>
  derivedKeys([digest, salt, info, length, textOf(key)].join('\n'), () =>
    crypto.hkdfSync(digest, key, salt, info, length),
  );

const sumOfKey = (key: crypto.KeyObject): number => {
  const sum = sums.get(key);
  if (sum === undefined) throw new Error('this key was not made here');
  return sum;
};

const tagOf = (sum: number): Buffer => {
  const tag = Buffer.alloc(tagBytes);
  tag.writeInt32BE(sum);
  return tag;
};

/** As `createCipheriv` of AES-256-GCM, but what it seals can be read: real ciphers would take a tenth of the time of a world. */
export const createCipheriv = (_: string, key: crypto.KeyObject, nonce: Uint8Array) => {
  let sum = sumOf(sumOfKey(key), nonce);
  const cipher = {
    setAAD: (place: Uint8Array) => {
      sum = sumOf(sum, place);
      return cipher;
    },
    update: (text: string): Buffer => {
      const bytes = Buffer.from(text);
      sum = sumOf(sum, bytes);
      return bytes;
    },
    final: () => Buffer.alloc(0),
    getAuthTag: () => tagOf(sum),
  };
  return cipher;
};

/** Opens what was sealed for the same place, under the same key. */
export const createDecipheriv = (_: string, key: crypto.KeyObject, nonce: Uint8Array) => {
  let sum = sumOf(sumOfKey(key), nonce);
  let wanted = Buffer.alloc(0);
  const decipher = {
    setAAD: (place: Uint8Array) => {
      sum = sumOf(sum, place);
      return decipher;
    },
    setAuthTag: (tag: Buffer) => {
      wanted = Buffer.from(tag);
      return decipher;
    },
    update: (bytes: Uint8Array): Uint8Array => {
      sum = sumOf(sum, bytes);
      return bytes;
    },
    final: (): Buffer => {
      if (!tagOf(sum).equals(wanted)) throw new Error('this was sealed for another place, or under another key');
      return Buffer.alloc(0);
    },
  };
  return decipher;
};
