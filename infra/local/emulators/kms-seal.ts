import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

export type EncryptionContext = Readonly<Record<string, string>>;

export interface Seal {
  close(arn: string, plaintext: Uint8Array, context: EncryptionContext): Buffer;
  /** @throws Error when it was sealed under another key, was changed, or the context differs */
  open(sealed: Buffer, context: EncryptionContext): { readonly arn: string; readonly plaintext: Buffer };
}

const version = 1;
const arnStart = 3;
const nonceBytes = 12;
const tagBytes = 16;

/**
 * AES-256-GCM under one key per ARN, each derived from the master key. The sealed bytes are version, length of the ARN, ARN, nonce, tag,
 * ciphertext; all before the nonce is authenticated, and so is the context.
 */
export const sealUnder = (masterKey: Uint8Array): Seal => {
  const keyOf = (arn: string) => Buffer.from(hkdfSync('sha256', masterKey, '', arn, 32));
  return {
    close: (arn, plaintext, context) => {
      const header = Buffer.concat([Buffer.alloc(arnStart), Buffer.from(arn)]);
      header.writeUInt8(version, 0);
      header.writeUInt16BE(header.length - arnStart, 1);
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', keyOf(arn), nonce).setAAD(associatedData(header, context));
      const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
      return Buffer.concat([header, nonce, cipher.getAuthTag(), ciphertext]);
    },
    open: (sealed, context) => {
      const { arn, arnEnd } = headerIn(sealed);
      const nonceEnd = arnEnd + nonceBytes;
      const tagEnd = nonceEnd + tagBytes;
      const nonce = sealed.subarray(arnEnd, nonceEnd);
      const decipher = createDecipheriv('aes-256-gcm', keyOf(arn), nonce, { authTagLength: tagBytes })
        .setAAD(associatedData(sealed.subarray(0, arnEnd), context))
        .setAuthTag(sealed.subarray(nonceEnd, tagEnd));
      return { arn, plaintext: Buffer.concat([decipher.update(sealed.subarray(tagEnd)), decipher.final()]) };
    },
  };
};

/**
 * The key that these bytes claim to be sealed under.
 * @throws Error when they are not sealed
 */
export const headerIn = (sealed: Buffer): { readonly arn: string; readonly arnEnd: number } => {
  if (sealed.readUInt8(0) !== version) throw new Error('sealed by an unknown version');
  const arnEnd = arnStart + sealed.readUInt16BE(1);
  return { arn: sealed.toString('utf8', arnStart, arnEnd), arnEnd };
};

/** The same bytes for the same context, in any order of its pairs. */
const associatedData = (header: Uint8Array, context: EncryptionContext): Buffer => {
  const pairs = Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1));
  return Buffer.concat([header, Buffer.from(JSON.stringify(pairs))]);
};
