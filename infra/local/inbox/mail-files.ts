import { referencesTo } from '../../../shared/kit/content-id.ts';
import type { Reply } from '../emulators/local-server.ts';
import type { MailAttachment } from '../emulators/ses-mail.ts';
import type { CaughtMail } from '../emulators/ses-store.ts';
import { nameOf } from './mail-parts.ts';

/** Where an attribute or a style refers to a file, not where a text names it. */
const inUrl = (cid: string): RegExp => new RegExp(`(?<=(?:["'(=]|&quot;)\\s*)${referencesTo(cid).source}`, 'gi');

/**
 * The mail's HTML as a document without an origin, scripts, forms or network; with `pictures`, it may load those. A link opens a tab of its
 * own.
 */
export const mailDocument = ({ body, attachments }: CaughtMail, pictures: boolean): Reply => {
  // The longest id first: another may be its beginning.
  const inline = attachments
    .flatMap(({ cid, ...file }) => (cid === null ? [] : [{ cid, ...file }]))
    .sort((one, other) => other.cid.length - one.cid.length);
  const withPictures = inline.reduce(
    (html, { cid, contentType, content }) => html.replaceAll(inUrl(cid), () => `data:${contentType};base64,${content}`),
    body.html ?? '',
  );
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src data:${pictures ? ' https: http:' : ''}; font-src data:; style-src 'unsafe-inline'; form-action 'none'; frame-ancestors 'self'`,
      'referrer-policy': 'no-referrer',
    },
    body: withLinkTarget(withPictures),
  };
};

/** A base before the doctype would make browsers ignore it. */
const withLinkTarget = (document: string): string =>
  document.replace(/^\s*(?:<!doctype[^>]*>)?/i, (start) => `${start}<base target="_blank">`);

/** For the characters that encodeURIComponent keeps and a header parameter may not contain. */
const percentEncoded = (character: string): string => `%${character.charCodeAt(0).toString(16)}`;

/** An attachment, never for display. */
export const mailFile = (file: MailAttachment | undefined): Reply => {
  if (!file) return { status: 404, body: 'No such attachment.' };
  const name = encodeURIComponent(nameOf(file)).replaceAll(/['()*]/g, percentEncoded);
  return {
    status: 200,
    headers: {
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename*=UTF-8''${name}`,
    },
    body: Buffer.from(file.content, 'base64'),
  };
};
