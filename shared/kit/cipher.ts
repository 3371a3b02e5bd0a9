import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, randomBytes } from 'node:crypto';
import type { AccountRef } from './account-ref.ts';
import { InternalError } from './internal-error.ts';

/** Encryption with one account's decrypted data key. */
export interface Cipher {
  /** Seals text for one place (item key and field): it cannot be opened for another place or account. */
  seal(place: string, text: string): Uint8Array;
  /** @throws Error when the bytes were not sealed for this account and place */
  open(place: string, sealed: Uint8Array): string;
  /** A deterministic hash of 43 characters per text and kind, specific to this account: for lookups by equality. */
  fingerprint(kind: string, text: string): string;
}

/** Opens accounts' data keys. */
export interface Vault {
  unlock(account: AccountRef): Promise<Cipher>;
}

const version = 1;
const nonceBytes = 12;
const tagBytes = 16;

/** AES-256-GCM with account and place as associated data; fingerprints are HMAC-SHA256 under a second key, derived from the first. */
export const cipherOf = (accountId: string, dataKey: Uint8Array): Cipher => {
  // Key objects, because raw bytes make each fingerprint seven times slower.
  const lookupKey = createSecretKey(Buffer.from(hkdfSync('sha256', dataKey, accountId, 'fingerprint', 32)));
  const sealKey = createSecretKey(dataKey);
  const context = (place: string) => Buffer.from(`${accountId}\n${place}`);
  return {
    seal: (place, text) => {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', sealKey, nonce).setAAD(context(place));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), sealed]);
    },
    open: (place, sealed) => {
      const bytes = Buffer.from(sealed);
      if (bytes[0] !== version)
        throw new InternalError('the data was sealed by an unknown version', { version: bytes[0] });
      const nonceEnd = 1 + nonceBytes;
      const tagEnd = nonceEnd + tagBytes;
      const decipher = createDecipheriv('aes-256-gcm', sealKey, bytes.subarray(1, nonceEnd), {
        authTagLength: tagBytes,
      })
        .setAAD(context(place))
        .setAuthTag(bytes.subarray(nonceEnd, tagEnd));
      return Buffer.concat([decipher.update(bytes.subarray(tagEnd)), decipher.final()]).toString('utf8');
    },
    fingerprint: (kind, text) => createHmac('sha256', lookupKey).update(`${kind}\n${text}`).digest('base64url'),
  };
};
