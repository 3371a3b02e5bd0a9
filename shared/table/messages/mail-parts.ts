import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Cipher } from '../../kit/cipher.ts';
import type { Mail } from '../../messages/mail.ts';
import { type ItemKey, itemKeys } from '../keys.ts';
import { packed, unpacked } from '../packed.ts';
import { sealedPlace } from '../sealed-place.ts';
import type { Item } from '../table.ts';

/** Which parts an email has. Another attempt to accept it has others. */
const mailPointer = z.object({
  attempt: z.string(),
  parts: z.int(),
  /** When it was to be sent as it was stored. The release before does not say it. */
  dueMs: z.number().optional(),
});

export type MailPointer = z.output<typeof mailPointer>;

/** Where the content of a scheduled email lies, by the row that says when it is due. Undefined: it does not wait, or is no email. */
export const mailIn = (due: Item | undefined): MailPointer | undefined => mailPointer.optional().parse(due?.['mail']);

export const mailPartKeys = (accountId: string, id: string, { attempt, parts }: MailPointer): ItemKey[] =>
  Array.from({ length: parts }, (_, part) => itemKeys.mailPart(accountId, id, part, attempt));

/** Much longer than an email is tried after its time. */
const keptDays = 60;

/** When TTL deletes the parts of an email for this time. They are removed with its wait: only those of an attempt that accepted nothing are left. */
export const partsExpireAt = (atMs: number): number => Math.ceil(atMs / 1_000) + keptDays * 86_400;

/** A scheduled email, sealed, in as many items as it needs: attachments have up to 7 MB. */
export const mailParts = (accountId: string, cipher: Cipher, mail: Mail, atMs: number) => {
  const attachments = mail.attachments.map((file) => ({ ...file, content: file.content.toString('base64') }));
  const pieces = packed(JSON.stringify({ ...mail, attachments }));
  const pointer: MailPointer = { attempt: randomUUID(), parts: pieces.length, dueMs: atMs };
  const items = mailPartKeys(accountId, mail.messageId, pointer).map((key, part) => ({
    ...key,
    entity: 'mail-part',
    expiresAt: partsExpireAt(atMs),
    sealed: cipher.seal(sealedPlace(key, 'sealed'), pieces[part] ?? ''),
  }));
  return { pointer, items };
};

/** The email that was found under these keys. Undefined: a part of it is gone. */
export const mailFrom = (
  cipher: Cipher,
  keys: readonly ItemKey[],
  found: readonly (Item | undefined)[],
): Mail | undefined => {
  const pieces = keys.flatMap((key, part) => {
    const item = found[part];
    return item ? [cipher.open(sealedPlace(key, 'sealed'), item['sealed'])] : [];
  });
  if (pieces.length < keys.length) return undefined;
  const mail = JSON.parse(unpacked(pieces));
  const attachments = mail.attachments.map((file: { readonly content: string }) => ({
    ...file,
    content: Buffer.from(file.content, 'base64'),
  }));
  return { ...mail, attachments };
};
