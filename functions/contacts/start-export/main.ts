import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { startExportContract } from './contract.ts';
import { startExport } from './handler.ts';

export const handler = endpoint(
  startExportContract,
  startExport({ contactExports: live.contactExports(), transfersQueue: live.transfersQueue() }),
  callersOf('contacts/start-export'),
);
