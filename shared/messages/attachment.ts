import * as z from 'zod';

export const mostAttachments = 10;
export const mostAttachmentBytes = 7 * 1024 * 1024;

const isBase64 = (text: string): boolean => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);

/** How many bytes base64 text decodes to, without decoding it. */
const decodedBytes = (base64: string): number =>
  (base64.length / 4) * 3 - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0);

const attachment = z.object({
  filename: z
    .string()
    .min(1)
    .max(255)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
    .regex(/^[^/\\\u0000-\u001f\u007f-\u009f]+$/, 'must not have path separators or control characters'),
  content: z.string().refine(isBase64, { error: 'must be valid base64', params: { code: 'invalid_attachment' } }),
  contentType: z
    .string()
    .max(255)
    .regex(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(;[\t\x20-\x7e]*)?$/, 'must be a MIME type')
    .optional(),
  cid: z
    .string()
    .max(255)
    .regex(/^[\x21-\x3b\x3d\x3f-\x7e]+$/, 'must be a Content-ID without blanks and angle brackets')
    .optional(),
});

/** Files of an email (specification, "Attachment" and rule 5 of POST /messages). */
export const attachments = z
  .array(attachment)
  .max(mostAttachments)
  .refine((all) => all.reduce((sum, { content }) => sum + decodedBytes(content), 0) <= mostAttachmentBytes, {
    error: 'must decode to at most 7 MB in total',
    params: { code: 'attachment_too_large' },
  });
