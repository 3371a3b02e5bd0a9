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

const longestLine = 76;
/** What nodemailer sends as it is, if its lines are short. */
const longestPlain = 128 * 1024;

const countOf = (text: string, characters: RegExp): number => text.length - text.replaceAll(characters, '').length;

/** All but printable ASCII takes three bytes, and so do `=` and a blank at the end. A longer line is broken, which takes three more. */
const quotedPrintableBytes = (line: string): number => {
  const literal = countOf(line, /[\t -<>-~](?!$)|[!-<>-~]$/g);
  const encoded = literal + 3 * (Buffer.byteLength(line) - literal);
  return encoded + 3 * Math.max(0, Math.ceil((encoded - longestLine) / (longestLine - 1)));
};

/** In the encoding that nodemailer chooses. A line break has two bytes. */
const leastTextBytes = (written: string): number => {
  const text = written.replaceAll(/\r\n?/g, '\n');
  const encodedAlways = countOf(text, /[^\t\n -\x7f]/g);
  const lines = text.split('\n');
  const breaks = lines.length - 1;
  const isPlain =
    encodedAlways === 0 && text.length + breaks <= longestPlain && lines.every(({ length }) => length <= longestLine);
  if (isPlain) return text.length + breaks;
  if (encodedAlways >= countOf(text, /[a-z]/gi)) return base64Bytes(Buffer.byteLength(text) + breaks);
  return lines.reduce((sum, line) => sum + quotedPrintableBytes(line), 2 * breaks);
};

/** What a mail has at least, without its headers. */
export const leastMailBytes = ({ html = '', text = '' }: Content, attachments: Mail['attachments']): number =>
  attachments.reduce((sum, file) => sum + leastFileBytes(file), leastTextBytes(html) + leastTextBytes(text));

/** A byte of text becomes four at most, the ends of lines included. */
const isSmall = ({ html = '', text = '' }: Content, attachments: Mail['attachments']): boolean =>
  attachments.reduce(
    (sum, { content }) => sum + base64Bytes(content.length),
    4 * (Buffer.byteLength(html) + Buffer.byteLength(text)),
  ) <= mostMailBytes;

/**
 * SES may still refuse a mail that passes: one with some kilobytes less.
 * @throws Fault `invalid_request` when SES certainly refuses it
 */
export const checkMailSize = (content: Content, attachments: Mail['attachments']): void => {
  if (!isSmall(content, attachments) && leastMailBytes(content, attachments) > mostMailBytes)
    throw new Fault(
      'invalid_request',
      `html, text, attachments: the email must have at most ${grouped(mostMailBytes)} bytes, its files in base64 included`,
    );
};
