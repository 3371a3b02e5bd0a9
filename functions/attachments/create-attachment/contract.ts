import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { exampleId } from '../../../shared/kit/id.ts';
import { fileFields, mostAttachmentBytes } from '../../../shared/messages/attachment.ts';

export const createAttachmentContract = contract({
  summary: 'Upload a file that emails can attach',
  description:
    'Send the file to `uploadUrl` by PUT, as it is and within an hour, for example with `curl --upload-file`. Then attach it with `attachments: [{ "uploadId": "…" }]`, to as many emails as you like. Uploaded files do not count towards the size of a request; the limit of 7 MB in total for one email holds for them too.',
  example: { filename: 'invoice.pdf', contentType: 'application/pdf', size: 48_213 },
  status: 201,
  body: z.object({
    ...fileFields,
    size: z
      .int()
      .min(1)
      .refine((bytes) => bytes <= mostAttachmentBytes, {
        error: 'must be at most 7 MB',
        params: { code: 'attachment_too_large' },
      })
      .meta({ maximum: mostAttachmentBytes, description: 'The exact size of the file in bytes, at most 7 MB.' }),
  }),
  reply: z
    .object({
      id: z.string().describe('The `uploadId` of an attachment.'),
      uploadUrl: z.string().describe('Takes the file by PUT, if it has the stated size. Send no API key to it.'),
      expiresAt: z.string().meta({ format: 'date-time', description: 'When the file is gone, 24 hours from now.' }),
    })
    .meta({
      examples: [
        {
          id: exampleId,
          uploadUrl: 'https://files.s3.us-east-1.amazonaws.com/…',
          expiresAt: '2026-11-21T12:00:00.000Z',
        },
      ],
    }),
  isReplayable: true,
  refuses: ['invalid_request', 'invalid_attachment', 'attachment_too_large', 'idempotency_conflict'],
});
