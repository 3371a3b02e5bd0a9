import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { getExportContract } from './contract.ts';
import { getExport } from './handler.ts';

export const handler = endpoint(
  getExportContract,
  getExport({ messageExports: live.messageExports(), exportFiles: live.exportFiles() }),
  callersOf('messages/get-export'),
);
