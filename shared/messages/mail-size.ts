import { isAscii } from 'node:buffer';
import { Fault } from '../kit/fault.ts';
import { grouped } from '../kit/grouped.ts';
import type { Content } from './content.ts';
import type { Mail, MailAttachment } from './mail.ts';

/** Of a whole mail in SES's `SendRawEmail`. */
const mostMailBytes = 10 * 1024 * 1024;

/** Lines of 76 characters and their ends. */
const base64Bytes = (bytes: number): number => Math.ceil((bytes * 78) / 57);

const isMail = ({ filename, contentType }: MailAttachment): boolean =>
  contentType === undefined ? /\.(eml|mht|mhtml|mime|nws)$/i.test(filename) : /^message\//i.test(contentType);

/** In base64; a mail in a mail may be sent as it is. */
const leastFileBytes = (file: MailAttachment): number =>
  isMail(file) && isAscii(file.content) ? file.content.length : base64Bytes(file.content.length);

/** In quoted-printable or base64, whichever is shorter. */
const leastTextBytes = (text: string): number => {
  const bytes = Buffer.byteLength(text);
  const asciiBytes = text.replaceAll(/[^\0-\x7f]/g, '').length;
  return Math.min(asciiBytes + 3 * (bytes - asciiBytes), base64Bytes(bytes));
};

/**
 * What a mail has at least, without its headers: SES may still refuse one that passes.
 * @throws Fault `invalid_request` when SES certainly refuses it
 */
export const checkMailSize = ({ html = '', text = '' }: Content, attachments: Mail['attachments']): void => {
  const files = attachments.reduce((sum, file) => sum + leastFileBytes(file), 0);
  if (files + leastTextBytes(html) + leastTextBytes(text) > mostMailBytes)
    throw new Fault(
      'invalid_request',
      `html, text, attachments: the email must have at most ${grouped(mostMailBytes)} bytes, its files in base64 included`,
    );
};
