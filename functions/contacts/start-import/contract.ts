import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { exampleId } from '../../../shared/kit/id.ts';
import { contactColumns } from '../../../shared/transfers/contact-header.ts';

export const startImportContract = contract({
  summary: 'Import contacts from a CSV file',
  description: `Send the file to \`uploadUrl\` by PUT within an hour, for example with \`curl --upload-file\`; the import begins when it is there, and \`GET /contacts/imports/{id}\` reports how far it is. The URL is for one file: another one that is sent to it while the first is read ends the import as \`failed\`, and later it is ignored. The file is CSV (RFC 4180) in UTF-8 of up to 50 MB, each row up to 64 KB, and its first row names the columns: ${contactColumns.map((column) => `\`${column}\``).join(', ')}, in any case. Each row follows the rules of POST /contacts; an empty cell is an omitted field, \`tags\` are separated by semicolons or are a JSON array, and \`customFields\` is a JSON object. A row with a \`status\` other than \`active\` is an error, so that an export of contacts that opted out creates none that are active: add their addresses with POST /suppressions. As in POST /contacts/bulk, a bad row does not stop the import, and neither does one of more than 64 KB; one of more than 256 KB ends it as \`failed\`, where the contacts of the rows before it stay. A row whose email or phone is in use is a duplicate that changes nothing.`,
  example: { dryRun: false },
  status: 202,
  body: z.object({
    dryRun: z
      .boolean()
      .default(false)
      .describe(
        'Checks the file and counts what an import would do now, without creating contacts. A row that repeats an address of another row of the file counts as created.',
      ),
  }),
  reply: z
    .object({
      id: z.string(),
      status: z.literal('waiting'),
      dryRun: z.boolean(),
      uploadUrl: z.string().describe('Takes the file by PUT. Send no API key to it.'),
      expiresAt: z.string().meta({ format: 'date-time', description: 'Until when `uploadUrl` takes the file.' }),
    })
    .meta({
      examples: [
        {
          id: exampleId,
          status: 'waiting',
          dryRun: false,
          uploadUrl: 'https://files.s3.us-east-1.amazonaws.com/…',
          expiresAt: '2026-11-20T13:00:00.000Z',
        },
      ],
    }),
  isReplayable: true,
  refuses: ['invalid_request', 'idempotency_conflict'],
});
