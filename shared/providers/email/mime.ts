import { isAscii } from 'node:buffer';
import * as base64 from 'nodemailer/lib/base64';
import MailComposer from 'nodemailer/lib/mail-composer';
import { detectMimeType, encodeWord } from 'nodemailer/lib/mime-funcs';
import type MimeNode from 'nodemailer/lib/mime-node';
import * as quotedPrintable from 'nodemailer/lib/qp';
import { referencesTo } from '../../kit/content-id.ts';
import type { Mail, MailAttachment } from '../../messages/mail.ts';

/** The mail as RFC 5322 bytes. File paths and URLs in it are never opened. */
export const mimeOf = (mail: Mail): Buffer => {
  const { subject = '', from } = mail;
  const composer = new MailComposer({
    ...(isToBeEncoded(from.name)
      ? {}
      : { from: from.name === undefined ? from.address : { ...from, name: from.name } }),
    to: mail.to,
    ...(mail.replyTo !== undefined && { replyTo: mail.replyTo }),
    ...(isToBeEncoded(subject) ? {} : { subject }),
    ...(mail.html !== undefined && { html: withCrLf(mail.html) }),
    ...(mail.text !== undefined && { text: withCrLf(mail.text) }),
    attachments: mail.attachments.map((file) => ({
      ...shownAs(file, mail.html),
      content: file.content,
      contentType: typeOf(file),
    })),
    headers: {
      ...(isToBeEncoded(from.name) && { [fromAsWritten]: `${encoded(from.name)} <${from.address}>` }),
      ...(isToBeEncoded(subject) && { Subject: { prepared: true, foldLines: true, value: encoded(subject) } }),
      ...(mail.unsubscribeUrl !== undefined && unsubscribeHeaders(mail.unsubscribeUrl)),
      ...(mail.isAutomatic && { 'Auto-Submitted': 'auto-generated' }),
    },
    normalizeHeaderKey: (key) => (key === fromAsWritten ? 'From' : key),
  });
  const text = written(composer.compile());
  return Buffer.from(text.endsWith('\n') ? text : `${text}\r\n`);
};

/** A part with all that is in it. Nodemailer writes the same with a dozen streams, which takes three times as long. */
const written = (node: MimeNode): string => {
  const head = `${node.buildHeaders()}\r\n\r\n`;
  if (!node.multipart) return head + contentOf(node);
  const parts = node.childNodes.map((part) => `--${node.boundary}\r\n${written(part)}\r\n`);
  return `${head}${parts.join('')}--${node.boundary}--\r\n`;
};

const contentOf = (node: MimeNode): string => {
  const content = typeof node.content === 'string' || Buffer.isBuffer(node.content) ? node.content : '';
  switch (node.getTransferEncoding()) {
    case 'base64':
      return base64.wrap(base64.encode(content));
    case 'quoted-printable':
      return quotedPrintable.wrap(quotedPrintable.encode(content));
    default:
      return withCrLf(content.toString());
  }
};

/** A mail has CR and LF only together (RFC 5322, 2.3), in base64 too (RFC 2046, 4.1.1), and many servers reject others. */
const withCrLf = (text: string): string => text.replaceAll(/\r\n?|\n/g, '\r\n');

/** ASCII that looks like an encoded word (RFC 2047). Nodemailer leaves it, and mail programs would decode it, so it must be encoded to arrive unchanged. */
const looksEncoded = (text: string): boolean => text.includes('=?');

/** Also text with blanks that nodemailer may leave alone in a line, as it folds a header (forbidden by RFC 5322, 3.2.2). */
const isToBeEncoded = (text: string | undefined): text is string =>
  text !== undefined && (looksEncoded(text) || /\s$|\s{60}/.test(text));

const longestEncodedWord = 52;

const encoded = (text: string): string => encodeWord(text, 'B', longestEncodedWord);

/** Nodemailer writes such a name in `From` in quotes, and many mail programs decode it there too. */
const fromAsWritten = 'X-From';

/** A file name is written in two headers. `Content-Type` omits such a name: nodemailer neither encodes it twice there nor keeps its blanks in a line. */
const namedAs = (filename: string, disposition: 'attachment' | 'inline') =>
  isToBeEncoded(filename)
    ? { filename: false as const, contentDisposition: `${disposition}; filename=${JSON.stringify(filename)}` }
    : { filename, contentDisposition: disposition };

/** A file that the HTML does not show is an ordinary attachment: mail programs do not list an inline text or HTML file. */
const shownAs = ({ filename, cid }: MailAttachment, html = '') =>
  cid !== undefined && referencesTo(cid).test(html)
    ? { ...namedAs(filename, 'inline'), cid }
    : namedAs(filename, 'attachment');

/** Without the end of the line (RFC 5322, 2.1.1). */
const longestLine = 998;

const isSentAsItIs = (content: Buffer): boolean =>
  isAscii(content) &&
  !/\0|\r(?!\n)/.test(content.toString('ascii')) &&
  content
    .toString('ascii')
    .split(/\r?\n/)
    .every((line) => line.length <= longestLine);

/**
 * A `message/…` part must not be encoded (RFC 2046, 5.2.1), so one that no server must take as it is goes as a file of no special type; so does
 * a `.gzip`, whose name means `multipart/x-gzip`, because a `multipart/…` part is read as parts of the mail.
 */
const typeOf = ({ filename, content, contentType = detectMimeType(filename) }: MailAttachment): string => {
  const isPlainFile = /^message\//i.test(contentType) ? isSentAsItIs(content) : !/^multipart\//i.test(contentType);
  return isPlainFile ? contentType : 'application/octet-stream';
};

/** One-click unsubscription (RFC 8058). The URL must not be folded: some mail programs cannot read a folded one. */
const unsubscribeHeaders = (url: string) => ({
  'List-Unsubscribe': { prepared: true, value: `<${url}>` },
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});
