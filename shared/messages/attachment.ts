import * as z from 'zod';
import type { AccountRef } from '../kit/account-ref.ts';
import { Fault } from '../kit/fault.ts';
import type { MailAttachment } from './mail.ts';
import { refusedExtension } from './refused-files.ts';

export const mostAttachments = 10;
export const mostAttachmentBytes = 7 * 1024 * 1024;

/** A file is never of a `multipart` type: it would be read as parts of the mail itself. */
const multipart = '^[Mm][Uu][Ll][Tt][Ii][Pp][Aa][Rr][Tt]/';
/** RFC 2045, 5.1. */
const token = "[!#$%&'*+.^_`{|}~0-9A-Za-z-]+";
const quoted = '"([\\t\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]|\\x5c[\\t\\x20-\\x7e])*"';
const mimeType = `^[A-Za-z0-9_!#$&^.+-]+/[A-Za-z0-9_!#$&^.+-]+([\\t ]*;[\\t ]*${token}=(${token}|${quoted}))*$`;
const isFileType = (type: string): boolean => new RegExp(mimeType).test(type) && !new RegExp(multipart).test(type);

/** RFC 2392: printable ASCII without the angle brackets that it is written in. */
const contentId = /^[\x21-\x3b\x3d\x3f-\x7e]+$/;

export const longestFilename = 255;
const overlongFilename = new RegExp(`.{${longestFilename + 1}}`, 'su');
export const longestHeader = 255;

const isBase64 = (text: string): boolean => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);

/** How many bytes base64 text decodes to, without decoding it. */
const decodedBytes = (base64: string): number =>
  (base64.length / 4) * 3 - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0);

/** What inline files and uploaded ones have in common. */
export const fileFields = {
  filename: z
    .string()
    .min(1)
    .regex(/^[^/\\\p{Cc}]*$/u, 'must not contain path separators or control characters')
    .refine((name) => !overlongFilename.test(name), `must be at most ${longestFilename} characters`)
    .refine((name) => refusedExtension(name) === undefined, {
      error: ({ input }) => `must not end in ${refusedExtension(String(input))}: Amazon SES does not send such files`,
      params: { code: 'invalid_attachment' },
    })
    .meta({
      maxLength: longestFilename,
      pattern: '^[^/\\\\\\x00-\\x1f\\x7f-\\x9f]*$',
      description:
        'Without path separators or control characters, and of a type that Amazon SES sends: not `.exe` or `.js`, for example.',
    }),
  contentType: z
    .string()
    .max(longestHeader)
    .refine(isFileType, 'must be a MIME type, such as text/plain; charset=utf-8, and not a multipart type')
    .meta({ pattern: mimeType, not: { pattern: multipart }, description: 'A MIME type other than `multipart/…`.' }),
};

const fields = z.object({
  filename: fileFields.filename.optional(),
  content: z
    .string()
    .refine(isBase64, {
      error: 'must be valid base64, padded and without line breaks',
      params: { code: 'invalid_attachment' },
    })
    .meta({ contentEncoding: 'base64' })
    .optional(),
  uploadId: z
    .string()
    .optional()
    .describe(
      'The id of an uploaded file (`POST /attachments`), instead of `content`. Its name and type can be overridden.',
    ),
  contentType: fileFields.contentType.optional(),
  cid: z
    .string()
    .max(longestHeader)
    .regex(contentId, 'must be a Content-ID without spaces or angle brackets')
    .optional()
    .describe('The Content-ID: the HTML body can refer to the file as `cid:…`.'),
});

/** A file in JSON. */
export type AttachedFile = z.output<typeof fields>;

/** A rule that is also checked when other fields have failed, so that one answer names all errors. */
const rule = (field: keyof AttachedFile, error: string, isMet: (file: AttachedFile) => boolean) =>
  z.refine<AttachedFile>(isMet, {
    path: [field],
    error,
    when: ({ value, issues }) =>
      typeof value === 'object' && value !== null && !issues.some(({ path }) => !path?.length || path[0] === field),
  });

const attachment = fields
  .check(
    rule('filename', 'is required', ({ filename, uploadId }) => filename !== undefined || uploadId !== undefined),
    rule(
      'content',
      'is required, or uploadId',
      ({ content, uploadId }) => content !== undefined || uploadId !== undefined,
    ),
    rule('content', 'must not be sent with uploadId', ({ content, uploadId }) => !(content !== undefined && uploadId)),
  )
  .meta({
    id: 'Attachment',
    description: 'A file attached to an email: its content, or the id of its upload.',
    anyOf: [{ required: ['filename', 'content'] }, { required: ['uploadId'], not: { required: ['content'] } }],
  });

/** What is wrong where they are. */
export const tooLarge = 'must decode to at most 7 MB in total';

export const areTooLarge = (all: readonly AttachedFile[]): boolean =>
  all.reduce((sum, { content = '' }) => sum + decodedBytes(content), 0) > mostAttachmentBytes;

/** Files of an email (messaging specification, "Attachment", and "POST /messages", rule 5). */
export const attachments = z
  .array(attachment)
  .max(mostAttachments)
  .describe('Email only; at most 7 MB in total, decoded.');

/** How long an uploaded file can be attached. */
export const keptUploadMs = 24 * 3_600_000;

/** A file that an account uploads, or has uploaded. */
export interface Upload {
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: number;
  /** When it is gone. */
  readonly expiresMs: number;
}

export interface AttachmentNeeds {
  readonly uploads: {
    findAll(account: AccountRef, ids: readonly string[], nowMs: number): Promise<(Upload | undefined)[]>;
  };
  /** The bytes of an upload; undefined when there are none. */
  readonly uploadedFiles: { read(account: AccountRef, id: string): Promise<Buffer | undefined> };
}

const badUpload = (position: number): Fault =>
  new Fault(
    'invalid_attachment',
    `attachments.${position}.uploadId: must be the id of a file that was uploaded in the last 24 hours, without a Content-Encoding`,
  );

/**
 * The files of an email: inline ones decoded, uploaded ones read.
 * @throws Fault `invalid_attachment` when an upload is not there, `attachment_too_large` when all together are too large
 */
export const attachedFiles =
  ({ uploads, uploadedFiles }: AttachmentNeeds) =>
  async (account: AccountRef, sent: readonly AttachedFile[] = [], nowMs: number): Promise<MailAttachment[]> => {
    const offered = await uploads.findAll(
      account,
      sent.map(({ uploadId = '' }) => uploadId),
      nowMs,
    );
    const total = sent.reduce((sum, { content = '' }, n) => sum + decodedBytes(content) + (offered[n]?.bytes ?? 0), 0);
    if (total > mostAttachmentBytes) throw new Fault('attachment_too_large', `attachments: ${tooLarge}`);
    const read = async ({ content, uploadId, filename = '', contentType, cid }: AttachedFile, n: number) => {
      if (uploadId === undefined) return { filename, contentType, cid, content: Buffer.from(content ?? '', 'base64') };
      const upload = offered[n];
      const bytes = upload && (await uploadedFiles.read(account, uploadId));
      if (bytes?.length !== upload?.bytes || !bytes) throw badUpload(n);
      return {
        cid,
        filename: filename || upload.filename,
        contentType: contentType ?? upload.contentType,
        content: bytes,
      };
    };
    return Promise.all(sent.map(read));
  };
