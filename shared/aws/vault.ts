import * as z from 'zod';
import type { AccountRef } from '../kit/account-ref.ts';
import { type Cipher, cipherOf, type Vault } from '../kit/cipher.ts';
import type { Clock } from '../kit/time.ts';
import { forAll } from '../kit/time-limit.ts';
import { retried } from './aws-retry.ts';
import type { AwsService } from './aws-service.ts';

const contextOf = (accountId: string) => ({ accountId });

const decrypted = z.object({ Plaintext: z.base64() });
const generated = z.object({ CiphertextBlob: z.base64() });

/** A data key that an account was given after its first one, as KMS encrypted it, and the time from which on it seals. */
export interface RingKey {
  readonly sealedKey: string;
  readonly fromMs: number;
}

/** The later data keys of accounts, in their order. */
interface KeyRings {
  read(accountId: string): Promise<readonly RingKey[]>;
}

/** What was read of a ring is trusted for so long. */
const trustedMs = 10 * 60_000;

/**
 * From its creation until a new key seals: longer than a ring is trusted and a function runs after that, so no function meets a text that is sealed
 * under a key it has not read.
 */
export const untilSealsMs = 60 * 60_000;

/**
 * Envelope encryption: KMS decrypts an account's data keys once per warm function, all else is local.
 * The account's id is the encryption context, so one account's key cannot be decrypted as another's.
 */
export const openVault = (kms: AwsService, rings: KeyRings, clock: Clock = Date.now): Vault => {
  const opened = new Map<string, { readonly cipher: Promise<Cipher>; readonly readMs: number }>();
  const dataKeys = new Map<string, Promise<Uint8Array>>();

  const decrypt = async (id: string, sealedKey: string): Promise<Uint8Array> => {
    const input = { CiphertextBlob: sealedKey, EncryptionContext: contextOf(id) };
    const answer = await retried(() => kms.send({ target: 'TrentService.Decrypt', input }));
    return Buffer.from(decrypted.parse(answer).Plaintext, 'base64');
  };

  const dataKeyOf = (id: string, sealedKey: string): Promise<Uint8Array> => {
    const known = dataKeys.get(sealedKey);
    if (known) return known;
    const decrypting = forAll(() => decrypt(id, sealedKey));
    dataKeys.set(sealedKey, decrypting);
    decrypting.catch(() => dataKeys.delete(sealedKey));
    return decrypting;
  };

  const open = async ({ id, sealedKey }: AccountRef): Promise<Cipher> => {
    const [first, ring] = await Promise.all([dataKeyOf(id, sealedKey), rings.read(id)]);
    const keys = await Promise.all(
      ring.map(async (key) => ({ dataKey: await dataKeyOf(id, key.sealedKey), fromMs: key.fromMs })),
    );
    return cipherOf(id, first, { keys, clock, onUnknownKey: () => void opened.delete(sealedKey) });
  };

  return {
    unlock: (account) => {
      const readMs = clock();
      const known = opened.get(account.sealedKey);
      if (known && Math.abs(readMs - known.readMs) < trustedMs) return known.cipher;
      const cipher = forAll(() => open(account));
      opened.set(account.sealedKey, { cipher, readMs });
      cipher.catch(() => opened.delete(account.sealedKey));
      return cipher;
    },
  };
};

/** Creates data keys. `masterKeyId`: the KMS key that encrypts them. */
export const dataKeyMaker = (kms: AwsService, masterKeyId: string) => ({
  /** A new data key of an account, encrypted, in base64. */
  create: async (accountId: string): Promise<string> => {
    const input = { KeyId: masterKeyId, KeySpec: 'AES_256', EncryptionContext: contextOf(accountId) };
    const answer = await retried(() => kms.send({ target: 'TrentService.GenerateDataKey', input }));
    return generated.parse(answer).CiphertextBlob;
  },
});

export type DataKeys = ReturnType<typeof dataKeyMaker>;
