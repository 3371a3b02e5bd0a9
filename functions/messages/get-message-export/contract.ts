import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { exportDescription, exportReport } from '../../../shared/transfers/export.ts';

export const getMessageExportContract = contract({
  summary: 'Read the progress of an export of messages, and the link to its file',
  description: exportDescription,
  status: 200,
  path: z.object({ id: z.string() }),
  reply: exportReport,
  refuses: ['not_found'],
});
