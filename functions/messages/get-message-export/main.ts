import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { getMessageExportContract } from './contract.ts';
import { getMessageExport } from './handler.ts';

export const handler = endpoint(
  getMessageExportContract,
  getMessageExport({ messageExports: live.messageExports(), exportFiles: live.exportFiles() }),
  callersOf('messages/get-message-export'),
);
