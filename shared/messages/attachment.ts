import * as z from 'zod';

export const mostAttachments = 10;
export const mostAttachmentBytes = 7 * 1024 * 1024;

/** A file is never of a `multipart` type: it would be read as parts of the mail itself. */
const multipart = '^[Mm][Uu][Ll][Tt][Ii][Pp][Aa][Rr][Tt]/';
const mimeType = '^[A-Za-z0-9_!#$&^.+-]+/[A-Za-z0-9_!#$&^.+-]+(;[\\t\\x20-\\x7e]*)?$';
const isFileType = (type: string): boolean => new RegExp(mimeType).test(type) && !new RegExp(multipart).test(type);

/** RFC 2392: printable ASCII without the angle brackets that it is written in. */
const contentId = /^[\x21-\x3b\x3d\x3f-\x7e]+$/;

const longestFilename = 255;
const overlongFilename = new RegExp(`.{${longestFilename + 1}}`, 'su');
export const longestHeader = 255;

const isBase64 = (text: string): boolean => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);

/** How many bytes base64 text decodes to, without decoding it. */
const decodedBytes = (base64: string): number =>
  (base64.length / 4) * 3 - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0);

const attachment = z
  .object({
    filename: z
      .string()
      .min(1)
      .regex(/^[^/\\\p{Cc}]*$/u, 'must not contain path separators or control characters')
      .refine((name) => !overlongFilename.test(name), `must be at most ${longestFilename} characters`)
      .meta({
        maxLength: longestFilename,
        pattern: '^[^/\\\\\\x00-\\x1f\\x7f-\\x9f]*$',
        description: 'Without path separators or control characters.',
      }),
    content: z
      .string()
      .refine(isBase64, { error: 'must be valid base64', params: { code: 'invalid_attachment' } })
      .meta({ contentEncoding: 'base64' }),
    contentType: z
      .string()
      .max(longestHeader)
      .refine(isFileType, 'must be a MIME type, and not a multipart type')
      .meta({ pattern: mimeType, not: { pattern: multipart }, description: 'A MIME type other than `multipart/…`.' })
      .optional(),
    cid: z
      .string()
      .max(longestHeader)
      .regex(contentId, 'must be a Content-ID without spaces or angle brackets')
      .optional()
      .describe('The Content-ID: the HTML body can refer to the file as `cid:…`.'),
  })
  .meta({ id: 'Attachment', description: 'A file attached to an email.' });

/** Files of an email (messaging specification, "Attachment", and "POST /messages", rule 5). */
export const attachments = z
  .array(attachment)
  .max(mostAttachments)
  .refine((all) => all.reduce((sum, { content }) => sum + decodedBytes(content), 0) <= mostAttachmentBytes, {
    error: 'must decode to at most 7 MB in total',
    params: { code: 'attachment_too_large' },
  })
  .describe('Email only; at most 7 MB in total, decoded.');

/** A file in JSON. */
export type AttachedFile = z.output<typeof attachment>;

/** The files as they were before they became JSON. */
export const filesOf = (sent: readonly AttachedFile[] = []) =>
  sent.map((file) => ({ ...file, content: Buffer.from(file.content, 'base64') }));
