import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { instantText } from '../../../shared/http/fields.ts';
import { channels, listedStatuses } from '../../../shared/messages/message.ts';
import { addressText } from '../../../shared/messages/recipient.ts';
import { exampleNewExport, exportDescription, exportReport } from '../../../shared/transfers/export.ts';

export const startMessageExportContract = contract({
  summary: 'Export messages to a CSV file',
  description: `Begins a file of all messages that pass the filters of GET /messages, newest first. \`GET /messages/exports/{id}\` reports the progress and has the link to the file. ${exportDescription}`,
  status: 202,
  query: z.object({
    channel: z.enum(channels).optional(),
    status: z
      .enum(listedStatuses)
      .meta({ examples: ['sent'] })
      .optional(),
    to: addressText.optional().describe('Only messages to this whole address, as in GET /messages.'),
    createdAfter: instantText.optional().describe('ISO 8601; created at or after.'),
    createdBefore: instantText.optional().describe('ISO 8601; created at or before.'),
  }),
  reply: exportReport,
  replyExample: exampleNewExport,
  refuses: ['invalid_request'],
});
