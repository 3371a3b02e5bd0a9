import PostalMime, { type Address, addressParser, decodeWords, type Mailbox } from 'postal-mime';
import { invalidParameter } from './invalid-parameter.ts';

/** The content of a raw message, as in `GET /store`. */
export interface MailContent {
  /** As in the header: `"Name" <a@b>`, or the bare address. */
  readonly from: string;
  readonly replyTo: readonly string[];
  /** Bare addresses. */
  readonly destination: Readonly<Record<'to' | 'cc' | 'bcc', readonly string[]>>;
  readonly subject: string;
  readonly body: { readonly html: string | null; readonly text: string | null };
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly attachments: readonly MailAttachment[];
}

export interface MailAttachment {
  readonly filename: string | null;
  readonly contentType: string;
  /** The Content-ID without its angle brackets. */
  readonly cid: string | null;
  readonly disposition: string | null;
  readonly size: number;
  /** Base64. */
  readonly content: string;
}

/** Parses a raw message as strictly as SES does; postal-mime alone accepts any bytes. */
export async function readMail(raw: Buffer): Promise<MailContent> {
  refuseBrokenHeaders(raw);
  const parser = new MailParser({ forceRfc822Attachments: true });
  const email = await parser.parse(raw).catch((error: Error) => {
    throw invalidParameter(error.message);
  });
  const [from] = mailboxes(email.from && [email.from]);
  if (!from) throw invalidParameter("Missing required header 'From'.");

  return {
    from: display(from),
    replyTo: mailboxes(email.replyTo).map(display),
    destination: { to: addresses(email.to), cc: addresses(email.cc), bcc: addresses(email.bcc) },
    subject: email.subject ?? '',
    body: { html: email.html ?? null, text: email.text ?? null },
    headers: email.headers.map(({ originalKey, value }) => ({ name: originalKey, value: decodeWords(value) })),
    attachments: parser.parts.map(readAttachment),
  };
}

interface ParsedHeader {
  readonly value: string;
  readonly params: Readonly<Record<string, string>>;
}

/** A node of postal-mime's tree. */
interface Part {
  readonly contentType: { readonly parsed: ParsedHeader };
  readonly contentDisposition: { readonly parsed: ParsedHeader };
  readonly contentId?: string;
  readonly content: ArrayBuffer;
}

/** Keeps attachments as they are: postal-mime rewrites the characters and line breaks of calendars in the method that this one replaces. */
class MailParser extends PostalMime {
  readonly parts: Part[] = [];

  collectAttachment(part: Part): void {
    this.parts.push(part);
  }
}

function readAttachment({ contentType, contentDisposition, contentId, content }: Part): MailAttachment {
  const filename = contentDisposition.parsed.params['filename'] || contentType.parsed.params['name'];
  return {
    filename: filename ? decodeWords(filename) : null,
    contentType: contentType.parsed.value,
    cid: contentId?.replaceAll(/^<|>$/g, '') ?? null,
    disposition: contentDisposition.parsed.value || null,
    size: content.byteLength,
    content: Buffer.from(content).toString('base64'),
  };
}

/** The bare addresses of a list such as `"Name" <a@b>, c@d`. */
export const readAddresses = (list: string): string[] => addresses(addressParser(list));

const addresses = (list: readonly Address[] | undefined) => mailboxes(list).map(({ address }) => address);

const mailboxes = (list: readonly Address[] = []): Mailbox[] =>
  list.flatMap((entry) => entry.group ?? [entry]).filter(({ address }) => address !== '');

const display = ({ name, address }: Mailbox) =>
  name === '' ? address : `"${name.replaceAll(/["\\]/g, '\\$&')}" <${address}>`;

/** RFC 5322, 3.6: at most one of each. */
const singleHeaders =
  /^(from|sender|reply-to|to|cc|bcc|subject|date|message-id|in-reply-to|references|content-type|mime-version)$/;

const headersLimitBytes = 2 ** 21;

function refuseBrokenHeaders(raw: Buffer): void {
  const [section = ''] = raw.toString('latin1', 0, headersLimitBytes).split(/\r?\n\r?\n/, 1);
  const seen = new Set<string>();
  for (const line of section.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const name = /^([!-9;-~]+)[ \t]*:[^\r\0]*$/.exec(line)?.[1];
    if (!name) throw invalidParameter('The header section cannot be parsed.');
    const key = name.toLowerCase();
    if (seen.has(key) && singleHeaders.test(key)) throw invalidParameter(`Duplicate header '${name}'.`);
    seen.add(key);
  }
}
