import { contract } from '../../../shared/http/contract.ts';
import { exampleNewExport, exportDescription, exportReport } from '../../../shared/transfers/export.ts';
import { listContactsContract } from '../list-contacts/contract.ts';

export const startContactExportContract = contract({
  summary: 'Export contacts to a CSV file',
  description: `Begins a file of all contacts that pass the filters of GET /contacts, oldest first. \`GET /contacts/exports/{id}\` reports the progress and has the link to the file. POST /contacts/import takes it, but creates only the contacts that are \`active\`. ${exportDescription}`,
  status: 202,
  query: listContactsContract.query.omit({ page: true, limit: true, sortBy: true, sortOrder: true }).extend({
    minEngagementScore: listContactsContract.query.shape.minEngagementScore.describe(
      'At or above; scores are 0 to 100.',
    ),
  }),
  reply: exportReport,
  replyExample: exampleNewExport,
  refuses: ['invalid_request'],
});
