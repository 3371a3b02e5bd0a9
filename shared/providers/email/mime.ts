import MailComposer from 'nodemailer/lib/mail-composer';
import type { Mail } from '../../messages/mail.ts';

/** The mail as RFC 5322 bytes. File paths and addresses in it are never opened. */
export const mimeOf = (mail: Mail): Promise<Buffer> =>
  new MailComposer({
    from: mail.from.name === undefined ? mail.from.address : { name: mail.from.name, address: mail.from.address },
    to: mail.to,
    ...(mail.replyTo !== undefined && { replyTo: mail.replyTo }),
    subject: mail.subject ?? '',
    ...(mail.html !== undefined && { html: mail.html }),
    ...(mail.text !== undefined && { text: mail.text }),
    attachments: mail.attachments.map(({ filename, content, contentType, cid }) => ({
      filename,
      content,
      ...(contentType !== undefined && { contentType }),
      ...(cid !== undefined && { cid, contentDisposition: 'inline' as const }),
    })),
    headers: mail.unsubscribeUrl === undefined ? {} : unsubscribeHeaders(mail.unsubscribeUrl),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();

/** One-click unsubscription (RFC 8058). The address must stay in one piece: a folded one is none to some mail programs. */
const unsubscribeHeaders = (url: string) => ({
  'List-Unsubscribe': { prepared: true, value: `<${url}>` },
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});
