import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import type { AccountRef } from './account-ref.ts';
import { InternalError } from './internal-error.ts';
import type { Clock } from './time.ts';

/** Encryption with one account's decrypted data key. */
export interface Cipher {
  /** Seals text for one place (item key and field): it cannot be opened for another place or account. */
  seal(place: string, text: string): Uint8Array;
  /** @throws Error when this was not sealed for this account and place, or under a key that is not known here yet */
  open(place: string, sealed: unknown): string;
  /** A deterministic hash of 43 characters per text and kind, specific to this account: for lookups by equality. A new data key does not change it. */
  fingerprint(kind: string, text: string): string;
}

/** Opens accounts' data keys. */
export interface Vault {
  unlock(account: AccountRef): Promise<Cipher>;
}

/** A data key after the first one. It seals from this time on, when every function knows it. */
export interface LaterKey {
  readonly dataKey: Uint8Array;
  readonly fromMs: number;
}

interface Later {
  readonly keys?: readonly LaterKey[];
  readonly clock?: Clock;
  /** Called before the error of a text whose key is not among these: it has been added since they were read. */
  readonly onUnknownKey?: () => void;
}

/** How a sealed text begins: under the first key with this byte, under a later one with the other and the number of the key. */
const [byFirst, byLater] = [1, 2];
const nonceBytes = 12;
const tagBytes = 16;

/** The number of a key is one byte. */
export const mostLaterKeys = 255;

/** The number of the key that a text was sealed under; the first has 0. */
export const keyNumberOf = (sealed: Uint8Array): number => (sealed[0] === byLater ? Number(sealed[1]) : 0);

/**
 * AES-256-GCM with account and place as associated data, under the newest data key whose time has come; fingerprints are HMAC-SHA256 under a key
 * that is derived from the first.
 */
export const cipherOf = (
  accountId: string,
  firstKey: Uint8Array,
  { keys = [], clock = Date.now, onUnknownKey }: Later = {},
): Cipher => {
  let lookupKey: KeyObject | undefined;
  // Key objects, because raw bytes make each fingerprint seven times slower. Many functions take none.
  const keyOfLookups = () => createSecretKey(Buffer.from(hkdfSync('sha256', firstKey, accountId, 'fingerprint', 32)));
  const sealKeys = [firstKey, ...keys.map(({ dataKey }) => dataKey)].map((key) => createSecretKey(key));
  const context = (place: string) => Buffer.from(`${accountId}\n${place}`);

  const knownKey = (number: number): KeyObject => {
    const key = sealKeys[number];
    if (key) return key;
    onUnknownKey?.();
    throw new InternalError('the data was sealed under an unknown key', { number });
  };

  return {
    seal: (place, text) => {
      const nowMs = clock();
      const number = 1 + keys.findLastIndex(({ fromMs }) => fromMs <= nowMs);
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', knownKey(number), nonce).setAAD(context(place));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([
        number === 0 ? Buffer.of(byFirst) : Buffer.of(byLater, number),
        nonce,
        cipher.getAuthTag(),
        sealed,
      ]);
    },
    open: (place, sealed) => {
      if (!(sealed instanceof Uint8Array)) throw new InternalError('the data is not sealed', { is: typeof sealed });
      const bytes = Buffer.from(sealed);
      if (bytes[0] !== byFirst && bytes[0] !== byLater)
        throw new InternalError('the data was sealed by an unknown version', { version: bytes[0] });
      const nonceStart = bytes[0] === byFirst ? 1 : 2;
      const nonceEnd = nonceStart + nonceBytes;
      const tagEnd = nonceEnd + tagBytes;
      const key = knownKey(keyNumberOf(bytes));
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(nonceStart, nonceEnd), {
        authTagLength: tagBytes,
      })
        .setAAD(context(place))
        .setAuthTag(bytes.subarray(nonceEnd, tagEnd));
      return Buffer.concat([decipher.update(bytes.subarray(tagEnd)), decipher.final()]).toString('utf8');
    },
    fingerprint: (kind, text) => {
      lookupKey ??= keyOfLookups();
      return createHmac('sha256', lookupKey).update(`${kind}\n${text}`).digest('base64url');
    },
  };
};
