import { DecryptCommand, GenerateDataKeyCommand, type KMSClient } from '@aws-sdk/client-kms';
import type { AccountRef } from '../kit/account-ref.ts';
import { type Cipher, cipherOf, type Vault } from '../kit/cipher.ts';
import { InternalError } from '../kit/internal-error.ts';
import { retried } from './aws-retry.ts';

const contextOf = (accountId: string) => ({ accountId });

/**
 * Envelope encryption: KMS decrypts an account's data key once per warm function, all else is local.
 * The account's id is the encryption context, so one account's key cannot be decrypted as another's.
 */
export const openVault = (kms: KMSClient): Vault => {
  const opened = new Map<string, Promise<Cipher>>();

  const decrypt = async ({ id, sealedKey }: AccountRef): Promise<Cipher> => {
    const command = new DecryptCommand({
      CiphertextBlob: Buffer.from(sealedKey, 'base64'),
      EncryptionContext: contextOf(id),
    });
    const { Plaintext } = await retried(() => kms.send(command));
    if (!Plaintext) throw new InternalError('the key service returned no key');
    return cipherOf(id, Plaintext);
  };

  return {
    unlock: (account) => {
      const known = opened.get(account.sealedKey);
      if (known) return known;
      const opening = decrypt(account);
      opened.set(account.sealedKey, opening);
      opening.catch(() => opened.delete(account.sealedKey));
      return opening;
    },
  };
};

/** Creates data keys for new accounts. `masterKeyId`: the KMS key that encrypts them. */
export const dataKeyMaker = (kms: KMSClient, masterKeyId: string) => ({
  /** A new account's data key, encrypted, in base64. */
  create: async (accountId: string): Promise<string> => {
    const command = new GenerateDataKeyCommand({
      KeyId: masterKeyId,
      KeySpec: 'AES_256',
      EncryptionContext: contextOf(accountId),
    });
    const { CiphertextBlob } = await retried(() => kms.send(command));
    if (!CiphertextBlob) throw new InternalError('the key service returned no key');
    return Buffer.from(CiphertextBlob).toString('base64');
  },
});

export type DataKeys = ReturnType<typeof dataKeyMaker>;
