import MailComposer from 'nodemailer/lib/mail-composer';
import { encodeWord } from 'nodemailer/lib/mime-funcs';
import type { Mail, MailAttachment } from '../../messages/mail.ts';

/** The mail as RFC 5322 bytes. File paths and addresses in it are never opened. */
export const mimeOf = (mail: Mail): Promise<Buffer> => {
  const { subject = '', from } = mail;
  return new MailComposer({
    ...(looksEncoded(from.name) ? {} : { from: from.name === undefined ? from.address : { ...from, name: from.name } }),
    to: mail.to,
    ...(mail.replyTo !== undefined && { replyTo: mail.replyTo }),
    ...(looksEncoded(subject) ? {} : { subject }),
    ...(mail.html !== undefined && { html: mail.html }),
    ...(mail.text !== undefined && { text: mail.text }),
    attachments: mail.attachments.map(({ content, contentType, cid, filename }) => ({
      ...namedAs(filename, cid),
      content,
      ...(contentType !== undefined && { contentType }),
      ...(cid !== undefined && { cid }),
    })),
    headers: {
      ...(looksEncoded(from.name) && { [fromAsWritten]: `${encoded(from.name)} <${from.address}>` }),
      ...(looksEncoded(subject) && { Subject: { prepared: true, foldLines: true, value: encoded(subject) } }),
      ...(mail.unsubscribeUrl !== undefined && unsubscribeHeaders(mail.unsubscribeUrl)),
    },
    normalizeHeaderKey: (key) => (key === fromAsWritten ? 'From' : key),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
};

/** ASCII that mail programs would decode (RFC 2047), and nodemailer leaves as it is: it must be encoded itself to arrive as it was written. */
const looksEncoded = (text: string | undefined): text is string => text?.includes('=?') === true;

const longestEncodedWord = 52;

const encoded = (text: string): string => encodeWord(text, 'B', longestEncodedWord);

/** nodemailer writes `From` itself, with such a name in quotes, which many mail programs decode all the same. */
const fromAsWritten = 'X-From';

/** A file's name goes into two headers. The one of `Content-Type` cannot be encoded twice, so it is left out then. */
const namedAs = (filename: string, cid: MailAttachment['cid']) => {
  const disposition = cid === undefined ? 'attachment' : 'inline';
  return looksEncoded(filename)
    ? { filename: false as const, contentDisposition: `${disposition}; filename=${JSON.stringify(filename)}` }
    : { filename, ...(cid !== undefined && { contentDisposition: disposition }) };
};

/** One-click unsubscription (RFC 8058). The address must stay in one piece: a folded one is none to some mail programs. */
const unsubscribeHeaders = (url: string) => ({
  'List-Unsubscribe': { prepared: true, value: `<${url}>` },
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});
