import { contract } from '../../../shared/http/contract.ts';
import { exampleNewExport, exportDescription, exportReport } from '../../../shared/transfers/export.ts';
import { listMessagesContract } from '../list-messages/contract.ts';

export const startMessageExportContract = contract({
  summary: 'Export messages to a CSV file',
  description: `Begins a file of all messages that pass the filters of GET /messages, newest first. \`GET /messages/exports/{id}\` reports the progress and has the link to the file. ${exportDescription}`,
  status: 202,
  query: listMessagesContract.query.omit({ limit: true, cursor: true }),
  reply: exportReport,
  replyExample: exampleNewExport,
  refuses: ['invalid_request'],
});
