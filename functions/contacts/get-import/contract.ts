import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { exampleId } from '../../../shared/kit/id.ts';
import { importStatuses } from '../../../shared/transfers/contact-import.ts';

const instant = z.string().meta({ format: 'date-time' });

export const getImportContract = contract({
  summary: 'Read the progress of an import of contacts',
  description: 'An import is kept for 7 days, with its refused rows.',
  status: 200,
  path: z.object({ id: z.string() }),
  reply: z
    .object({
      id: z.string(),
      status: z.enum(importStatuses).describe('`waiting`: for its file.'),
      dryRun: z.boolean(),
      progress: z.int().describe('Percent of the file that has been read.'),
      total: z.int().describe('Rows so far, without the header row and blank lines.'),
      created: z.int(),
      duplicates: z.int().describe('Rows whose email or phone another contact uses already; they change nothing.'),
      errors: z.int().describe('Rows that are not valid, or have a `status` other than `active`.'),
      failureReason: z
        .string()
        .nullable()
        .describe('Why the import is `failed`: its file could not be used, or it was interrupted.'),
      refusedUrl: z
        .string()
        .nullable()
        .describe(
          'When the import is completed: a link, good for 15 minutes, to a CSV of the duplicates and errors, each with its line in the file and the reason. It can be corrected and imported again. A row that cannot be read as CSV has its line and the reason only.',
        ),
      createdAt: instant,
      completedAt: instant.nullable(),
    })
    .meta({
      examples: [
        {
          id: exampleId,
          status: 'completed',
          dryRun: false,
          progress: 100,
          total: 3,
          created: 1,
          duplicates: 1,
          errors: 1,
          failureReason: null,
          refusedUrl: 'https://files.s3.us-east-1.amazonaws.com/…',
          createdAt: '2026-11-20T12:00:00.000Z',
          completedAt: '2026-11-20T12:00:09.000Z',
        },
      ],
    }),
  refuses: ['not_found'],
});
