import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { getContactExportContract } from './contract.ts';
import { getContactExport } from './handler.ts';

export const handler = endpoint(
  getContactExportContract,
  getContactExport({ contactExports: live.contactExports(), exportFiles: live.exportFiles() }),
  callersOf('contacts/get-contact-export'),
);
